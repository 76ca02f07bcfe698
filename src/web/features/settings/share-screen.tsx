import { Stack } from '@mantine/core';
import { AgentKey } from './agent-key.tsx';
import { AllowedSites } from './allowed-sites.tsx';
import { EmbedCode } from './embed-code.tsx';
import { WithAgent } from './settings-form.tsx';
import { ShareHandle } from './share-handle.tsx';
import { ShareLink } from './share-link.tsx';
import { SignedIdentity } from './signed-identity.tsx';

/** The ways to an agent: by link, on websites, from programs. */
export function ShareScreen() {
  return (
    <WithAgent>
      {(agent) => (
        <Stack>
          <ShareLink agent={agent} />
          <ShareHandle agent={agent} />
          <EmbedCode agent={agent} />
          <AllowedSites agent={agent} />
          <AgentKey agentId={agent.id} />
          <SignedIdentity agentId={agent.id} />
        </Stack>
      )}
    </WithAgent>
  );
}
