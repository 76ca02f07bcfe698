import { createRoot } from 'react-dom/client';
import '../ui/base.css';
import { Embed } from './embed.tsx';
import { createOutbox } from './outbox.ts';
import { readPlace } from './place.ts';
import { createVisits } from './visits.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');

const place = readPlace();
const outbox = createOutbox(place.site);
createRoot(root).render(<Embed {...{ place, outbox }} visits={createVisits(place)} />);
