import { createStore } from '../store.ts';
import type { Subject } from './route-data.ts';

/** What the things in the address are called, as far as it has been read; told by the layout that has pages of them. */
export type SubjectNames = Readonly<Partial<Record<Subject, string>>>;
export const subjectNames = createStore<SubjectNames>({});
