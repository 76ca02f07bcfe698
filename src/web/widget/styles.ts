import css from './widget.css?inline';

/** As a constructed style sheet it needs no permission in the site's content security policy. */
export function styleSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}
