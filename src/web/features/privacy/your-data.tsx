import { EraseMyself } from './erase-section.tsx';
import { OwnExport } from './export-section.tsx';

/** What is known of the signed-in person: exporting and erasing it. */
export function YourData() {
  return (
    <>
      <OwnExport />
      <EraseMyself />
    </>
  );
}
