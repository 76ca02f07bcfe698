/** The mutated files of `npm test`, and more than seven thousand of them. */
import '../../src/server/features/knowledge/read/mutation.test.ts';
import '../fuzz/media.test.ts';
