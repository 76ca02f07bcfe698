/** Code that runs unmodified against this installation, with the key in `PARLEY_AGENT_KEY`. */

interface Place {
  /** This installation's. */
  origin: string;
  agentId: string;
}

export const sampleLanguages = ['curl', 'JavaScript', 'Python'] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];

/** Begins a conversation and asks something: the answer arrives whole, or as a stream. */
export function sampleOf(language: SampleLanguage, place: Place, streamed: boolean): string {
  return { curl, JavaScript: javaScript, Python: python }[language](place, streamed);
}

export const embedCode = ({ origin, agentId }: Place) =>
  `<script src="${origin}/widget.js" data-agent="${agentId}" async></script>`;

function curl({ origin, agentId }: Place, streamed: boolean): string {
  const follow = streamed ? ' \\\n  -N -H "Accept: text/event-stream"' : '';
  return `CONVERSATION=$(curl -sS ${origin}/v1/chat \\
  -H "Authorization: Bearer $PARLEY_AGENT_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"chatbotId":"${agentId}"}' | grep -o 'cnv_[0-9a-z]*' | head -n 1)

curl -sS ${origin}/v1/chat/$CONVERSATION/message${follow} \\
  -H "Authorization: Bearer $PARLEY_AGENT_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"text":"What can you help me with?"}'`;
}

function javaScript({ origin, agentId }: Place, streamed: boolean): string {
  const begin = `const post = async (path, body, headers = {}) => {
  const response = await fetch('${origin}/v1' + path, {
    method: 'POST',
    headers: {
      authorization: \`Bearer \${process.env.PARLEY_AGENT_KEY}\`,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return response;
};

const { conversation } = await (await post('/chat', { chatbotId: '${agentId}' })).json();
const path = \`/chat/\${conversation.id}/message\`;
const question = { text: 'What can you help me with?' };
`;
  if (!streamed)
    return `${begin}
const { answer } = await (await post(path, question)).json();
console.log(answer.text);`;
  return `${begin}
const { body } = await post(path, question, { accept: 'text/event-stream' });
let rest = '';
for await (const piece of body.pipeThrough(new TextDecoderStream())) {
  const events = (rest + piece).split('\\n\\n');
  rest = events.pop();
  for (const event of events) {
    if (!event.startsWith('data: {')) continue;
    const { type, delta } = JSON.parse(event.slice(6));
    if (type === 'text-delta') process.stdout.write(delta);
  }
}`;
}

function python({ origin, agentId }: Place, streamed: boolean): string {
  const begin = `import json, os, requests

session = requests.Session()
session.headers["Authorization"] = f"Bearer {os.environ['PARLEY_AGENT_KEY']}"


def post(path, body, **options):
    response = session.post("${origin}/v1" + path, json=body, **options)
    response.raise_for_status()
    return response


conversation = post("/chat", {"chatbotId": "${agentId}"}).json()["conversation"]
path = f"/chat/{conversation['id']}/message"
question = {"text": "What can you help me with?"}
`;
  if (!streamed)
    return `${begin.replace('import json, os', 'import os')}
print(post(path, question).json()["answer"]["text"])`;
  return `${begin}
stream = post(path, question, headers={"Accept": "text/event-stream"}, stream=True)
for line in stream.iter_lines():
    if not line.startswith(b"data: {"):
        continue
    event = json.loads(line[6:])
    if event["type"] == "text-delta":
        print(event["delta"], end="", flush=True)`;
}

/** On the server of a site that knows its users. */
export const signingSample = () => `import { SignJWT } from 'jose';

const secret = new TextEncoder().encode(process.env.PARLEY_EMBED_SECRET);
const userToken = await new SignJWT({ name: 'Grace' })
  .setProtectedHeader({ alg: 'HS256' })
  .setSubject('customer-7')
  .setExpirationTime('1h')
  .sign(secret);`;

/** In its pages. */
export const identifySample = () => `(window.parley ||= []).push(['identify', userToken]);`;
