import { readFileSync } from 'node:fs'

/** Apps that differ from another one in the mode of their vault alone. */
const alike: Readonly<Record<string, string>> = { keep: 'recover', fees: 'smart' }

/** The logo of an app of the demo, as a data URL, which every page may show. */
export function logoOf(appId: string): string {
  const name = appId.replace(/^latchkey-demo-/, '').split('-')[0] ?? ''
  const svg = readFileSync(new URL(`logos/${alike[name] ?? name}.svg`, import.meta.url), 'utf8')
  return `data:image/svg+xml,${encodeURIComponent(svg.replace(/\n\s*/g, ''))}`
}
