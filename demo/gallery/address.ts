/** One entry of the gallery, as its URL says it: `?screen=enter-code&example=wrong%20code&theme=dark&size=drawer`. */
export interface Address {
  screen: string | undefined
  example: string | undefined
  theme: 'auto' | 'light' | 'dark'
  /** `window`: a window of the vault's own. */
  size: 'dialog' | 'drawer' | 'inline' | 'window'
  accent: string | undefined
  dir: 'ltr' | 'rtl'
  /** The host's text scale. */
  scale: number
}

export const themes = ['light', 'dark', 'auto'] as const
export const sizes = ['dialog', 'drawer', 'inline', 'window'] as const

const oneOf = <T extends string>(text: string | null, values: readonly T[], otherwise: T): T =>
  values.find((value) => value === text) ?? otherwise

export function readAddress(search: string): Address {
  const query = new URLSearchParams(search)
  return {
    screen: query.get('screen') ?? undefined,
    example: query.get('example') ?? undefined,
    theme: oneOf(query.get('theme'), themes, 'auto'),
    size: oneOf(query.get('size'), sizes, 'dialog'),
    accent: query.get('accent') ?? undefined,
    dir: oneOf(query.get('dir'), ['ltr', 'rtl'], 'ltr'),
    scale: Number(query.get('scale')) || 1,
  }
}

/** The query of an address; what is as usual is left out. */
export function writeAddress(address: Address): string {
  const usual = readAddress('')
  const query = new URLSearchParams()
  for (const key of Object.keys(usual) as (keyof Address)[]) {
    const value = address[key]
    if (value !== undefined && value !== usual[key]) query.set(key, String(value))
  }
  return `?${query}`
}
