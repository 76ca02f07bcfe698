import { useLayoutEffect, useRef, useState } from 'react';
import {
  IMAGE_ATTEMPTS,
  IMAGE_CACHE_MAX,
  IMAGE_WIDTH_RATIO,
  IMAGE_WIDTHS_PX,
} from '../../contract/limits.ts';
import { whenSeen } from './when-seen.ts';

/** An image shown before is shown again at once: the browser has it cached. */
const shown = new Set<string>();

interface LazyImageProps {
  src: string;
  alt: string;
  /** `photo`: as stored, 160 by 160. `fixed`: as wide as its style says. `flowing`: as wide as its container. */
  kind: 'photo' | 'fixed' | 'flowing';
  className?: string | undefined;
  /** Called when it could not be loaded despite all retries. */
  onBroken?: () => void;
}

/** An image requested when it is about to be seen, no larger than displayed. */
export function LazyImage({ src, alt, kind, className, onBroken }: LazyImageProps) {
  const image = useRef<HTMLImageElement>(null);
  const [address, setAddress] = useState(() => (kind === 'photo' && shown.has(src) ? src : null));
  const [failures, setFailures] = useState(0);
  useLayoutEffect(() => {
    const { current } = image;
    if (!current) return;
    return whenSeen(current, () => setAddress(kind === 'photo' ? src : fitting(src, widthOf(current, kind))));
  }, [src, kind]);
  const fail = () => {
    setFailures(failures + 1);
    if (failures + 1 >= IMAGE_ATTEMPTS) onBroken?.();
  };
  // The key creates a new element for each attempt, which requests it again.
  return (
    <img
      key={failures}
      ref={image}
      className={className}
      src={address ?? undefined}
      data-src={src}
      alt={alt}
      decoding="async"
      onLoad={() => address && remember(address)}
      onError={failures < IMAGE_ATTEMPTS ? fail : undefined}
    />
  );
}

function widthOf(image: HTMLImageElement, kind: 'fixed' | 'flowing'): number {
  return (kind === 'flowing' && image.parentElement ? image.parentElement : image).clientWidth;
}

/** The address of one of our pictures at the smallest sufficient width; other addresses have no widths. */
function fitting(src: string, width: number): string {
  const wanted = width * devicePixelRatio * IMAGE_WIDTH_RATIO;
  const enough = IMAGE_WIDTHS_PX.find((one) => one >= wanted);
  return enough && /^\/images\/[^?]+\.webp$/.test(src) ? `${src}?w=${enough}` : src;
}

function remember(address: string): void {
  shown.delete(address);
  shown.add(address);
  const [oldest] = shown;
  if (shown.size > IMAGE_CACHE_MAX && oldest !== undefined) shown.delete(oldest);
}
