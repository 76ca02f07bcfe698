import { useState } from 'react';

/** True from the first time on: a search field stays in place while its results, few or none, are loading. */
export function useStays(condition: boolean): boolean {
  const [stays, setStays] = useState(condition);
  if (condition && !stays) setStays(true);
  return stays;
}
