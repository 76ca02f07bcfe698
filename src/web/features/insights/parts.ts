/** Screens loaded on demand, in one file, so that no first page carries a list of what they need. */
export { InsightLinks } from './links.tsx';
export { PublicInsightsScreen } from './public-screen.tsx';
export { OrganizationInsightsScreen } from './organization-screen.tsx';
