import { EraseMyself } from './erase-section.tsx';
import { OwnExport } from './export-section.tsx';

/** What is known of the person who is signed in: a file of it, and the end of it. */
export function YourData() {
  return (
    <>
      <OwnExport />
      <EraseMyself />
    </>
  );
}
