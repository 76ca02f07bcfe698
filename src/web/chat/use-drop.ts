import { useState, type DragEvent } from 'react';
import { t } from './text.ts';

/** Files may be dropped anywhere on the conversation. */
export function useDrop(offered: boolean, onDrop: (files: Iterable<File>) => void) {
  const [isOver, setIsOver] = useState(false);
  if (!offered) return {};
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');
  const take = (event: DragEvent, next: boolean) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.stopPropagation();
    setIsOver(next);
  };
  return {
    'data-drop': isOver ? t('chat.dropHere') : undefined,
    onDragEnter: (event: DragEvent) => take(event, true),
    onDragOver: (event: DragEvent) => take(event, true),
    // Also when leaving the window directly from a child element.
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) =>
      !(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) && setIsOver(false),
    onDrop: (event: DragEvent) => {
      take(event, false);
      onDrop(event.dataTransfer.files);
    },
  };
}
