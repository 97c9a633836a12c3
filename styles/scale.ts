/**
 * The raw steps of sizes, text, time and layout. `tokens.ts` gives them meaning; no other values are used.
 */
export type Radius = 6 | 8 | 10 | 12 | 16 | 24

/** Heights of controls: small, medium, compact row, row or large button, code box, header or two-line row. */
export const height = {
  small: 32,
  medium: 40,
  compact: 44,
  large: 48,
  box: 52,
  header: 56,
  twoLines: 60,
} as const

/** Size, line height, weight, and tracking in em. */
export const type = {
  hero: [20, 26, 600, -0.01],
  title: [16, 22, 600, -0.005],
  label: [15, 20, 500, 0],
  action: [15, 20, 600, 0],
  input: [16, 22, 400, 0],
  body: [14, 20, 400, 0],
  detail: [13, 18, 400, 0],
  caption: [12, 16, 500, 0.005],
  amount: [32, 38, 600, -0.02],
  digit: [22, 28, 500, 0],
} as const
export type TextStyle = keyof typeof type

export const sans =
  'system-ui,-apple-system,"Segoe UI Variable Text","Segoe UI",Roboto,"Noto Sans","Helvetica Neue",sans-serif'
export const mono = 'ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"Noto Sans Mono",monospace'

export const motion = {
  fast: '120ms',
  base: '180ms',
  slow: '260ms',
  drawer: '320ms',
  easeOut: 'cubic-bezier(.16,1,.3,1)',
  easeIn: 'cubic-bezier(.4,0,1,1)',
  ease: 'cubic-bezier(.2,0,0,1)',
} as const

/** Milliseconds in which the old screen fades to the new one. */
export const screenOut = 90

/** The panel: the dialog's width, its two heights, the widest viewport that gets a drawer, and where a drawer's handle ends. */
export const panel = { width: 360, full: 620, compact: 480, drawerUpTo: 440, handle: 12 } as const
