import { mkdir } from 'node:fs/promises';

const OWN = 0o700;
/** Started as root, PostgreSQL has a user of its own, who must get through to its folder in it. */
const OF_ROOT = 0o711;

/** Makes the folder of everything that is kept, which nobody else may look into. One that is there stays as its owner has it. */
export async function makeDataFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? OF_ROOT : OWN });
}
