/**
 * The page's one style sheet, constructed: no style element and no attribute, so it needs nothing of a security policy.
 * Without a theme of the host it has the system's colours.
 */
export const style = `
:root { font: 14px/20px system-ui, sans-serif; color: var(--text, CanvasText); background: var(--background, Canvas); }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; max-inline-size: var(--width, none); overflow-wrap: anywhere; }
main, form { display: grid; gap: 12px; padding: 4px; }
p, ol { margin: 0; }
.note, .status { font-size: 13px; color: var(--muted, CanvasText); }
.status:empty { margin-block-end: -12px; }
.status.good { color: var(--success, CanvasText); }
.address { font: 13px/18px ui-monospace, monospace; direction: ltr; unicode-bidi: isolate; user-select: all; }
.row { display: grid; grid-template-columns: 1fr auto; gap: 8px; }
input { min-inline-size: 0; min-block-size: 44px; padding: 8px 12px; border: 1px solid var(--muted, FieldText); border-radius: 12px; font: inherit; font-size: 16px;
  color: var(--text, FieldText); background: var(--background, Field); }
button { min-block-size: 44px; padding: 8px 16px; border: 1px solid transparent; border-radius: 12px; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-accent, ButtonText); background: var(--accent, ButtonFace); }
button:hover { background: var(--accent-hover, ButtonFace); }
button.quiet { color: var(--text, ButtonText); background: var(--surface, ButtonFace); border-color: var(--muted, currentcolor); }
button[aria-disabled=true] { opacity: .6; cursor: default; }
input:focus-visible, button:focus-visible, .secret:focus-visible { outline: 2px solid var(--text, Highlight); outline-offset: 2px; }
.secret { padding: 12px; border-radius: 12px; border: 1px solid var(--muted, currentcolor); background: var(--surface, Canvas); color: var(--text, CanvasText);
  font: 15px/22px ui-monospace, monospace; direction: ltr; unicode-bidi: isolate; }
.secret code { font: inherit; user-select: all; overflow-wrap: anywhere; }
.secret ol { display: grid; grid-template-columns: repeat(auto-fill, minmax(120px, 1fr)); gap: 4px 12px; padding-inline-start: 32px; }
main.compact { padding: 0; gap: 0; }
form.compact { padding: 0; gap: 0; }
form.compact .note { display: none; }
main.compact button { inline-size: 100%; block-size: 44px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
main.compact .status { block-size: 44px; overflow: auto; font-size: 12px; line-height: 16px; }
@media (forced-colors: active) { button, .secret { border: 1px solid ButtonBorder; } }
`
