import { startProvider } from '../test/stand-ins/provider.ts';

/**
 * The provider stand-in as a standalone program. It answers in the given number of pieces; `slow` takes 300 ms to the
 * first one, and `steady` sends 20 pieces a second for ten seconds, as models do.
 */
const [pieces = 50] = process.argv.slice(2).map(Number);
const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index} `);

const provider = await startProvider({ pieces: words(pieces) });
provider.scripts = {
  slow: { pieces: words(pieces), firstPieceAfterMs: 300 },
  steady: { pieces: words(200), betweenPiecesMs: 50 },
};
// The stand-in keeps every request for tests to inspect.
setInterval(() => (provider.requests.length = 0), 1000);
console.log(`provider at ${provider.baseUrl}`);
