/** The frames of `npm test`, and two hundred thousand of them. */
import '../../src/server/realtime/frames.test.ts';
