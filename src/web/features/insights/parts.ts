/** What is loaded when it is looked at, in one file, so that no first page carries a list of what it needs. */
export { InsightLinks } from './links.tsx';
export { PublicInsightsScreen } from './public-screen.tsx';
export { OrganizationInsightsScreen } from './organization-screen.tsx';
