import { startProvider } from '../test/provider.ts';

/** The provider stand-in as a program: pieces, milliseconds to the first, milliseconds between. */
const [pieces = 50, firstPieceAfterMs = 0, betweenPiecesMs = 0] = process.argv.slice(2).map(Number);

const provider = await startProvider({
  pieces: Array.from({ length: pieces }, (_, index) => `word${index} `),
  firstPieceAfterMs,
  betweenPiecesMs,
});
// It would keep every request for tests to look at.
setInterval(() => (provider.requests.length = 0), 1000);
console.log(`provider at ${provider.baseUrl}`);
