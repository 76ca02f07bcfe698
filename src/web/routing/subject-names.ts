import { createStore } from '../store.ts';
import type { Subject } from './route-data.ts';

/** The names of the things in the address, as far as they are loaded; set by the layout that has their pages. */
export type SubjectNames = Readonly<Partial<Record<Subject, string>>>;
export const subjectNames = createStore<SubjectNames>({});
