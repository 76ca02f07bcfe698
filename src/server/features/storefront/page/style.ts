import { tokensOf, type Dress } from '../../../../contract/dress.ts';

/** The style sheet of a page in an agent's look; its values are typed, and none is user-written text. */
export function styleOf(dress: Dress): string {
  const tokens = Object.entries(tokensOf(dress)).map(([name, value]) => `${name}:${value}`);
  const scheme = dress.scheme === 'system' ? 'light dark' : dress.scheme;
  return `:root{color-scheme:${scheme};${tokens.join(';')}}${layout}`;
}

const layout = `
*{box-sizing:border-box}body{margin:0;background:var(--surface);color:var(--text);font:16px/1.6 var(--font);overflow-wrap:anywhere}
header,main,footer{max-width:1040px;margin:0 auto;padding:0 24px}
header{display:flex;align-items:center;justify-content:space-between;gap:16px;padding-block:16px}
.who{display:flex;align-items:center;gap:12px;min-width:0;font-weight:600}.who img{width:40px;height:40px;border-radius:50%;object-fit:cover;flex:none}.who img.logo{width:auto;max-width:160px;border-radius:0;object-fit:contain}
h1{margin:0 0 16px;font-size:clamp(32px,6vw,52px);line-height:1.1;letter-spacing:-.02em;text-wrap:balance}h2{margin:0 0 24px;font-size:26px;line-height:1.2;text-wrap:balance}h3{margin:0 0 8px;font-size:18px;line-height:1.3}p{margin:0 0 16px}
.hero{padding:48px 0 32px}.hero p{max-width:640px;color:var(--text-soft);font-size:20px;line-height:1.5}.hero img{display:block;width:100%;max-height:480px;margin-top:40px;object-fit:cover;border:1px solid var(--border);border-radius:var(--radius-card)}
.acts{display:flex;flex-wrap:wrap;gap:12px;margin-top:28px}
.button{display:inline-flex;align-items:center;justify-content:center;min-height:44px;padding:8px 20px;border:1px solid var(--accent);border-radius:var(--radius);background:var(--accent);color:var(--on-accent);font-weight:600;text-decoration:none}.button:hover{background:var(--accent-hover)}
.button.plain{border-color:var(--control-border);background:transparent;color:var(--text)}.button.plain:hover{background:var(--hover)}
section{padding:40px 0;border-top:1px solid var(--border)}.about>*{max-width:720px}ul,ol{margin:0 0 16px;padding-inline-start:22px}html{text-align:left}html[dir=rtl]{text-align:right}h1,h2,h3,p,li,summary{unicode-bidi:plaintext}.price{unicode-bidi:normal}a{color:var(--accent-text)}code{padding:1px 5px;border-radius:4px;background:var(--sunken);font-size:.9em}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,260px),1fr));gap:16px;padding:0;list-style:none}.cards>li{display:flex;flex-direction:column;padding:24px;border:1px solid var(--border);border-radius:var(--radius-card);background:var(--surface)}.features .cards>li{background:var(--sunken);border-color:transparent}
.cards p:last-child{margin:0}.offers .cards>li>p:last-child{margin-top:auto}.offers .button{width:100%}
.price{font-size:28px;font-weight:600;line-height:1.2;font-variant-numeric:tabular-nums}.badge,.mode{align-self:flex-start;display:inline-block;padding:2px 10px;border-radius:999px;background:var(--accent-soft);color:var(--accent-text);font-size:13px;font-weight:600}
details{border-bottom:1px solid var(--border)}summary{padding:14px 0;font-weight:600;cursor:pointer}details div{padding-bottom:8px;color:var(--text-soft)}
:focus-visible{outline:3px solid var(--accent-text);outline-offset:2px;border-radius:4px}
footer{padding-block:32px;color:var(--text-soft);font-size:14px}
@media (max-width:600px){header,main,footer{padding-inline:16px}.hero{padding:24px 0}.hero p{font-size:18px}section{padding:32px 0}}
`;
