import { agentFile, agentKeeping } from './agent-file.ts';
import { apiKey } from './api-key.ts';
import { audit } from './audit.ts';
import { answer, attachment, voice } from './answer.ts';
import { billing } from './billing.ts';
import { chat } from './chat.ts';
import { chatLink, room } from './chat-link.ts';
import { history } from './history.ts';
import { model, modelPrice } from './model.ts';
import { chatbot } from './chatbot.ts';
import { endUser } from './end-user.ts';
import { estimate } from './estimate.ts';
import { file } from './file.ts';
import { identity } from './identity.ts';
import { improvement } from './improvement.ts';
import { handover, inbox } from './inbox.ts';
import { insight, insightLink } from './insight.ts';
import { knowledge } from './knowledge.ts';
import { lead } from './lead.ts';
import { log } from './log.ts';
import { member } from './member.ts';
import { organization } from './organization.ts';
import { plugin } from './plugin.ts';
import { privacy } from './privacy.ts';
import { coupon } from './coupon.ts';
import { connect, earning, product, purchase } from './product.ts';
import { push } from './push.ts';
import { revision } from './revision.ts';
import { source } from './source.ts';
import { storefront } from './storefront.ts';
import { team } from './team.ts';
import { testSet } from './test-set.ts';
import { tool, toolAccount, toolSignIn } from './tool.ts';
import { user } from './user.ts';
import { version } from './version.ts';
import { visitor } from './visitor.ts';
import { webhook } from './webhook.ts';
import { website } from './website.ts';

/** The whole API as data: the server implements it, OpenAPI is generated from it, and every client is typed by it. */
export const contract = {
  identity,
  user,
  organization,
  team,
  member,
  apiKey,
  audit,
  chatbot,
  agentFile,
  agentKeeping,
  version,
  testSet,
  knowledge,
  source,
  revision,
  website,
  file,
  chat,
  history,
  chatLink,
  room,
  answer,
  attachment,
  voice,
  model,
  modelPrice,
  billing,
  connect,
  product,
  purchase,
  earning,
  coupon,
  visitor,
  plugin,
  webhook,
  tool,
  toolAccount,
  toolSignIn,
  lead,
  endUser,
  estimate,
  handover,
  inbox,
  push,
  improvement,
  insight,
  insightLink,
  storefront,
  privacy,
  log,
};
export type ParleyContract = typeof contract;
