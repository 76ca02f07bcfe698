/** All in one file, so that the file table every page carries has one entry instead of six. */
export { EraseEndUser } from './erase-section.tsx';
export { ErasureScreen } from './erasure-screen.tsx';
export { OrganizationExport } from './export-section.tsx';
export { RetentionSection } from './retention-section.tsx';
export { YourData } from './your-data.tsx';
