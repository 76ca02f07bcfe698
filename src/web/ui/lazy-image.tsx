import { useLayoutEffect, useRef, useState } from 'react';
import {
  IMAGE_ATTEMPTS,
  IMAGE_CACHE_MAX,
  IMAGE_WIDTH_RATIO,
  IMAGE_WIDTHS_PX,
} from '../../contract/limits.ts';
import { whenSeen } from './when-seen.ts';

/** What was shown once is shown again at once: the browser has it. */
const shown = new Set<string>();

interface LazyImageProps {
  src: string;
  alt: string;
  /** `photo`: as it is kept, 160 by 160. `fixed`: as wide as its style says. `flowing`: as wide as what it stands in. */
  kind: 'photo' | 'fixed' | 'flowing';
  className?: string | undefined;
  /** It could not be had, however often it was tried. */
  onBroken?: () => void;
}

/** A picture that is asked for when it is about to be seen, no larger than it is shown. */
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
  // The key makes an element anew for each attempt, which asks again.
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

/** The address of a picture of ours at the least width that is enough; other addresses have no widths. */
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
