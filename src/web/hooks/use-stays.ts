import { useState } from 'react';

/** True from when it is first: a field to search in stays where it is while what it finds, little or nothing, is on its way. */
export function useStays(condition: boolean): boolean {
  const [stays, setStays] = useState(condition);
  if (condition && !stays) setStays(true);
  return stays;
}
