import { contrast, derivePalette, luminance, type TokenName } from '../../../styles/palette.ts'
import { sans } from '../../../styles/scale.ts'
import type { ApprovalLook } from '../../protocol/frame/approval.ts'

/** WCAG 2.2, 1.4.3. */
const readable = 4.5

const tones = ['success', 'warning', 'danger'] as const
/** Which words are written on what. */
const written: readonly (readonly [words: TokenName, ...grounds: TokenName[]])[] = [
  ['text', 'surface', 'surface-sunken', 'surface-raised', 'fill-hover', 'fill-pressed', 'accent-subtle'],
  ...tones.map((tone) => ['text', `${tone}-subtle`] as const),
  ...tones.map((tone) => [`${tone}-text`, 'surface', `${tone}-subtle`] as const),
  ['text-muted', 'surface', 'surface-sunken', 'fill-hover'],
  ['text-faint', 'surface', 'fill-hover'],
  ['accent-text', 'surface', 'accent-subtle'],
  ['on-accent', 'accent', 'accent-hover', 'accent-pressed'],
  ['on-danger', 'danger-solid', 'danger-solid-hover', 'danger-solid-pressed'],
]

/**
 * The colours of the page's theme that the vault follows: those it knows, without any that would hide words which are written in
 * them or on them. In place of these stand the ones derived from the accent.
 */
export function followedColours({
  theme,
  accent = '',
  colours = {},
}: Pick<ApprovalLook, 'theme' | 'accent' | 'colours'>): ReadonlyMap<TokenName, string> {
  const derived = derivePalette(accent, theme)
  const given = new Map(
    Object.entries(colours).filter(([name]) => Object.hasOwn(derived, name)) as [TokenName, string][],
  )
  const lightness = (name: TokenName) => ({ luminance: luminance(given.get(name) ?? derived[name]) })
  const hides = ([words, ...grounds]: (typeof written)[number]) =>
    grounds.filter((ground) => contrast(lightness(words), lightness(ground)) < readable)
  // What is dropped gives way to a derived colour, which may not go with another one of the page's.
  for (let before = -1; before !== given.size; ) {
    before = given.size
    for (const pair of written)
      for (const ground of hides(pair)) {
        given.delete(pair[0])
        given.delete(ground)
      }
  }
  return given
}

/** Fonts that systems bring along and in which letters are letters. Those of the page itself are not loaded here. */
const fonts: ReadonlySet<string> = new Set(
  (
    'system-ui,ui-sans-serif,ui-serif,ui-rounded,ui-monospace,sans-serif,serif,monospace,-apple-system,blinkmacsystemfont,' +
    'segoe ui,segoe ui variable text,roboto,noto sans,noto serif,noto sans mono,ubuntu,cantarell,helvetica neue,helvetica,arial,verdana,tahoma,' +
    'trebuchet ms,georgia,times new roman,times,palatino,courier new,menlo,consolas'
  ).split(','),
)

/** The page's font, as far as the vault knows it, and ours. */
export const followedFont = ({ fonts: given = [] }: Pick<ApprovalLook, 'fonts'>): string =>
  [...given.filter((name) => fonts.has(name.toLowerCase())).map(asFamily), sans].join()

/** The names of generic families are keywords, and would be others in quotes. */
const asFamily = (name: string) => (name.includes(' ') ? `"${name}"` : name)
