/** All of it together, so that the table of files that every page carries names one in place of six. */
export { EraseEndUser } from './erase-section.tsx';
export { ErasureScreen } from './erasure-screen.tsx';
export { OrganizationExport } from './export-section.tsx';
export { RetentionSection } from './retention-section.tsx';
export { YourData } from './your-data.tsx';
