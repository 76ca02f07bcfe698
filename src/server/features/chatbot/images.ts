import type { Appearance } from '../../../contract/appearance.ts';
import { LOGO_MAX_PIXELS, STOREFRONT_PICTURE_MAX_PIXELS } from '../../../contract/limits.ts';
import type { Agent } from '../../access/gate.ts';
import { invalidField } from '../../app-error.ts';
import type { Tx } from '../../db/scope.ts';
import { makePhoto, makePicture } from '../../images/make-photo.ts';
import { requireOwnPhoto } from '../../images/photos.ts';
import { hasImage } from './image-store.ts';

/** How uploads for an agent are re-encoded. */
export const draw = {
  photo: makePhoto,
  logo: (data: Buffer): Promise<Buffer> => makePicture(data, LOGO_MAX_PIXELS),
  /** For its public page. */
  picture: (data: Buffer): Promise<Buffer> => makePicture(data, STOREFRONT_PICTURE_MAX_PIXELS),
};

interface GivenImages {
  profilePhoto?: string | undefined;
  appearance?: Appearance | undefined;
}

/**
 * For an agent with its draft's settings. Errors: 400 for a photo that is neither a placeholder, nor the agent's
 * current one, nor uploaded for it; the same for a logo, which has no placeholders.
 */
export async function requireOwnImages(tx: Tx, agent: Agent, given: GivenImages): Promise<void> {
  const { profilePhoto: photo, appearance } = given;
  if (photo === undefined || !(await hasImage(tx, agent, photo))) requireOwnPhoto(photo, agent.profilePhoto);
  const logo = appearance?.logo ?? null;
  if (logo === null || logo === agent.appearance.logo || (await hasImage(tx, agent, logo))) return;
  throw invalidField('appearance.logo', 'Must be a picture of this agent. Upload a new one.');
}
