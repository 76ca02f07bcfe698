import { newId } from '../../src/server/id.ts';
import {
  agentInOrganization,
  all,
  notMembers,
  notThere,
  organization,
  writers,
  type Row,
} from './expected.ts';

/** The calls on agents as files, in the trash and in transfer. */
export const agentFileMatrix = {
  'agentFile.export': { input: agentInOrganization, expect: writers },
  // Somebody else's upload is not found whatever the role; what its own creator gets is tested with the files.
  'agentFile.import': {
    input: (world) => ({ ...organization(world), uploadId: newId('upload') }),
    expect: notThere,
  },
  'agentFile.getImport': {
    input: (world) => ({ ...organization(world), importId: world.importId }),
    expect: writers,
  },
  'agentFile.duplicate': { input: agentInOrganization, expect: writers },

  'agentKeeping.listDeleted': { input: organization, expect: writers },
  'agentKeeping.restore': {
    input: (world) => ({ ...organization(world), id: newId('agent') }),
    expect: notThere,
  },
  'agentKeeping.transfer': {
    // The wrong name: it stays.
    input: (world) => ({
      ...agentInOrganization(world),
      toOrganizationId: world.organizationId,
      name: 'Not its name',
    }),
    expect: {
      ...all(400, notMembers),
      outsider: 404,
      editor: 403,
      viewer: 403,
      readKey: 403,
      writeKey: 403,
    },
  },
} satisfies Record<string, Row>;
