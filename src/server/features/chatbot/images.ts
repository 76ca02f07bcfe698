import type { Appearance } from '../../../contract/appearance.ts';
import { LOGO_MAX_PIXELS, STOREFRONT_PICTURE_MAX_PIXELS } from '../../../contract/limits.ts';
import type { Agent } from '../../access/gate.ts';
import { invalidField } from '../../app-error.ts';
import type { Tx } from '../../db/scope.ts';
import { makePhoto, makePicture } from '../../images/make-photo.ts';
import { requireOwnPhoto } from '../../images/photos.ts';
import { hasImage } from './image-store.ts';

/** How what is uploaded for an agent is drawn anew. */
export const draw = {
  photo: makePhoto,
  logo: (data: Buffer): Promise<Buffer> => makePicture(data, LOGO_MAX_PIXELS),
  /** Of its public page. */
  picture: (data: Buffer): Promise<Buffer> => makePicture(data, STOREFRONT_PICTURE_MAX_PIXELS),
};

interface GivenImages {
  profilePhoto?: string | undefined;
  appearance?: Appearance | undefined;
}

/**
 * For an agent with the settings of its draft.
 * Errors: 400 for a photo that is neither a placeholder nor what the agent has, nor was uploaded for it; the same for a logo,
 * of which there are no placeholders.
 */
export async function requireOwnImages(tx: Tx, agent: Agent, given: GivenImages): Promise<void> {
  const { profilePhoto: photo, appearance } = given;
  if (photo === undefined || !(await hasImage(tx, agent, photo))) requireOwnPhoto(photo, agent.profilePhoto);
  const logo = appearance?.logo ?? null;
  if (logo === null || logo === agent.appearance.logo || (await hasImage(tx, agent, logo))) return;
  throw invalidField('appearance.logo', 'Must be a picture of this agent. Upload a new one.');
}
