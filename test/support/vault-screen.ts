/** What a user reads in the vault before a signature, as the very screen draws it. */
import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { vi } from 'vitest'
import { addWords, createTranslate } from '../../src/copy/copy.ts'
import { en } from '../../src/copy/en/index.ts'
import type { View } from '../../src/dialog/screen.ts'
import type { SignRequest } from '../../src/protocol/frame/sign-request.ts'
import { rankWarnings, type TransactionPreview, type Warning } from '../../src/signing/preview.ts'
import { Warnings } from '../../src/signing/transaction/warnings.tsx'
import { circleAlert } from '../../src/ui/icons/frame.ts'
import { triangleAlert } from '../../src/ui/icons/notices.ts'
import { readSignRequest } from '../../src/vault/approval/sign/kinds.ts'
import type { AppRules, ReviewKnowledge, SignReview } from '../../src/vault/approval/sign/review.ts'
import type { ServerPreview } from '../../src/vault/server/preview.ts'

addWords(en)
// A press is held by what a browser does; without one React draws no store that has no server's state.
vi.mock('../../src/ui/panel/hold.ts', async (original) => ({
  ...(await original<typeof import('../../src/ui/panel/hold.ts')>()),
  useHolding: () => ({}),
}))

export interface ShownWarning {
  readonly severity: Warning['severity']
  readonly text: string
  /** `undefined` for a banner that is no warning of the preview's. */
  readonly code?: Warning['code'] | undefined
  readonly about?: string | undefined
  /** It stands on the screen before anything is pressed. */
  readonly isAtOnce: boolean
}
export interface VaultScreen {
  /** Everything that stands on any step of the screen, without what has to be opened first. */
  readonly text: string
  /** Labels with their values, and large figures without a label. */
  readonly rows: readonly (readonly [label: string, value: string])[]
  /** The gravest first. */
  readonly warnings: readonly ShownWarning[]
  /** Words of its danger banners. */
  readonly red: readonly string[]
  readonly preview: TransactionPreview | undefined
  readonly risk: SignReview['risk']
}
export interface ScreenOptions {
  /** What the vault's own server has answered, where it has. */
  readonly server?: ServerPreview | undefined
  readonly knowledge?: ReviewKnowledge | undefined
  readonly rules?: Partial<AppRules> | undefined
}

const site = 'https://harbor.example'

/** Reads a request as the vault does, and draws all that it displays. Throws what the vault throws for one that it refuses. */
export async function readVaultScreen(
  request: SignRequest,
  { server, knowledge, rules }: ScreenOptions = {},
): Promise<VaultScreen> {
  const review = await readSignRequest(request, { origin: site }, createTranslate(), knowledge, rules)
  return drawVaultScreen(review, server)
}

/** The same for a request that has been read already. */
export function drawVaultScreen(review: SignReview, server?: ServerPreview): VaultScreen {
  const props = (server && review.confirmed?.(server)) ?? review.props
  const view = review.screen.view as View<object, unknown>
  const draw = (more: object) => {
    const drawn = { ...props, ...more, busy: undefined, answer: () => {} }
    return markupOf(createElement(view as (drawn: object) => ReturnType<typeof view>, drawn))
  }
  const { preview } = props as { preview?: TransactionPreview & { calls?: readonly TransactionPreview[] } }
  const calls = preview?.calls ?? []
  // A screen of several steps begins with the first one; signed, it displays the whole.
  const first = draw({})
  const pages = [
    first,
    draw({ done: true }),
    ...calls.map((call) => draw({ preview: { ...preview, calls: [call] } })),
  ]
  const given = preview ? [...preview.warnings, ...calls.flatMap(({ warnings }) => warnings)] : []
  const texts = pages.map(textOf)
  const ranked = rankWarnings(given).map((warning) => toShown(warning, preview, texts))
  const others = bannersOf(pages).filter(({ text }) => !ranked.some((each) => each.text === text))
  const shown = [
    ...new Map(
      [...ranked, ...others].map((each) => [`${each.code} ${each.text} ${each.about}`, each]),
    ).values(),
  ]
  return {
    text: texts.join('\n'),
    rows: pages.flatMap(rowsOf),
    warnings: shown,
    red: shown.filter(({ severity }) => severity === 'danger').map(({ text }) => text),
    preview,
    risk: review.risk,
  }
}

function toShown(
  warning: Warning,
  funds: TransactionPreview | undefined,
  texts: readonly string[],
): ShownWarning {
  const text = textOf(markupOf(createElement(Warnings, { warnings: [warning], funds })))
  return {
    severity: warning.severity,
    text,
    code: warning.code,
    about: warning.spender ?? warning.address,
    isAtOnce: texts.some((page) => page.includes(text)),
  }
}

const tones = { [circleAlert]: 'danger', [triangleAlert]: 'warning' } as const

/** Banners by their icon: screens that are no preview of a transaction have theirs in other properties. */
const bannersOf = (pages: readonly string[]): readonly ShownWarning[] =>
  pages.flatMap((page) =>
    page
      .split('part="banner"')
      .slice(1)
      .map((banner) => {
        const tone = Object.entries(tones).find(([icon]) =>
          banner.split('</svg>')[0]?.includes(escaped(icon)),
        )
        return {
          severity: tone?.[1] ?? ('info' as const),
          text: textOf(`<${balanced(banner)}`),
          isAtOnce: true,
        }
      }),
  )

/** The part of a markup up to the end of the element that it begins in. */
function balanced(markup: string): string {
  let depth = 1
  for (const { 0: tag, index } of markup.matchAll(/<(\/?)div\b[^>]*>/g)) {
    depth += tag.startsWith('</') ? -1 : 1
    if (depth === 0) return markup.slice(0, index)
  }
  return markup
}

const rowsOf = (markup: string): [string, string][] => [
  ...[...markup.matchAll(/<dt\b[^>]*>((?:(?!<dt).)*)<\/dt><dd\b[^>]*>(.*?)<\/dd>/gs)].map(
    ([, label = '', value = '']): [string, string] => [textOf(label), textOf(value)],
  ),
  ...[...markup.matchAll(/<p data-essential\b[^>]*>(.*?)<\/p>/gs)].map(
    ([, figure = '']): [string, string] => ['', textOf(figure.replaceAll('</span><span', '</span> <span'))],
  ),
]

// One cache for all screens: without it Emotion makes one for every element.
const styles = createCache({ key: 'lk' })
const markupOf = (element: ReactElement) =>
  renderToStaticMarkup(createElement(CacheProvider, { value: styles }, element))
    .replace(/<style\b[^>]*>.*?<\/style>/gs, '')
    .replace(/ (?:class|style)="[^"]*"/g, '')

const blocks =
  /<\/?(?:div|p|dt|dd|dl|li|ol|ul|h\d|section|button|pre|strong|label|header|footer)\b[^>]*>|<br\/?>/g
/** Text as it is read: parts of a line together, each line by itself. */
const textOf = (markup: string): string =>
  unescaped(
    markup
      .replace(/<svg\b.*?<\/svg>/gs, '')
      .replace(/<p data-essential\b.*?<\/p>/gs, (figure) =>
        figure.replaceAll('</span><span', '</span> <span'),
      )
      .replace(blocks, '\n')
      .replace(/<[^>]*>/g, ''),
  )
    .replace(/\n\s*/g, '\n')
    .trim()

const marks: readonly (readonly [string, string])[] = [
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#x27;'],
  ['&', '&amp;'],
]
const unescaped = (text: string) =>
  marks.reduce((now, [mark, written]) => now.replaceAll(written, mark), text)
const escaped = (text: string) => text.replaceAll('&', '&amp;')
