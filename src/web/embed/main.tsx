import { createRoot } from 'react-dom/client';
import '../ui/base.css';
import { startChunkReload } from '../chunk-reload.ts';
import { startOnline } from '../online.ts';
import { Embed } from './embed.tsx';
import { createOutbox } from './outbox.ts';
import { watchPanel } from './panel.ts';
import { readPlace } from './place.ts';
import { createVisits } from './visits.ts';

startChunkReload();
startOnline();

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');

const place = readPlace();
const outbox = createOutbox(place.site);
const panel = watchPanel(place);
createRoot(root).render(<Embed {...{ place, panel, outbox }} visits={createVisits(place)} />);
