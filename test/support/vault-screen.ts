/** A request as the vault's own screen displays it: read out of its bytes, rendered, and read back as text. */
import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { addWords, createTranslate } from '../../src/copy/copy.ts'
import { en } from '../../src/copy/en/index.ts'
import type { SignRequest } from '../../src/protocol/frame/sign-request.ts'
import { rankWarnings, type TransactionPreview, type Warning } from '../../src/signing/preview.ts'
import { approveTransaction } from '../../src/signing/transaction/approve-transaction.tsx'
import { StepFacts, stepsOf } from '../../src/signing/transaction/steps.tsx'
import { Warnings } from '../../src/signing/transaction/warnings.tsx'
import { readSignRequest } from '../../src/vault/approval/sign/kinds.ts'
import type { AppRules, ReviewKnowledge, SignReview } from '../../src/vault/approval/sign/review.ts'
import type { ServerPreview } from '../../src/vault/server/preview.ts'

addWords(en)

export interface VaultScreen {
  /** All that the screen says, steps included. */
  readonly text: string
  /** Its large figures. */
  readonly headline: readonly string[]
  /** The words of each warning, the gravest first. */
  readonly warnings: readonly (Warning & { readonly words: string })[]
  readonly risk: SignReview['risk']
  readonly preview: TransactionPreview | undefined
  readonly review: SignReview
}

interface ScreenOptions {
  /** What the vault's own server says; without it, none has answered in time. */
  readonly server?: ServerPreview | undefined
  /** It may still answer. */
  readonly isWaiting?: boolean | undefined
  readonly knowledge?: ReviewKnowledge | undefined
  readonly rules?: Partial<AppRules> | undefined
  readonly origin?: string | undefined
}

/**
 * Reads and renders a request as the vault does.
 * @throws InvalidRequest for one that the vault refuses
 */
export async function readVaultScreen(
  request: SignRequest,
  { server, isWaiting = false, knowledge, rules, origin = 'https://host.example' }: ScreenOptions = {},
): Promise<VaultScreen> {
  const review = await readSignRequest(request, { origin }, createTranslate(), knowledge, rules)
  const props = review.confirmed && !isWaiting ? review.confirmed(server) : review.props
  const { preview, warnings = [] } = props as {
    readonly preview?: TransactionPreview
    readonly warnings?: readonly Warning[]
  }
  const draw = () => {
    // Done, a review has no steps before the whole, and no warnings, which are rendered by themselves.
    const whole = render(review.screen.view, { ...props, done: true, busy: undefined, answer() {} })
    const calls = (preview as { readonly calls?: readonly TransactionPreview[] } | undefined)?.calls ?? []
    const steps = preview
      ? [
          ...stepsOf(preview).map((step) => render(StepFacts, { preview, step, busy: false })),
          ...calls.map((call) =>
            render(approveTransaction.view, {
              preview: call,
              action: 'send',
              done: true,
              busy: undefined,
              answer() {},
            }),
          ),
        ]
      : []
    const open = render(review.screen.view, { ...props, busy: undefined, answer() {} })
    return {
      text: [whole, ...steps, open].map(textOf).join('\n'),
      headline: [...whole.matchAll(/<p data-essential="true"[^>]*--_amount[^>]*>(.*?)<\/p>/g)].map(
        ([, figure = '']) => textOf(figure).replace(/(\d) (?=\d)|(?<=\.) /g, '$1'),
      ),
    }
  }
  // Rendering takes long, and not everybody looks at everything.
  let drawn: ReturnType<typeof draw> | undefined
  const now = () => {
    drawn ??= draw()
    return drawn
  }
  const worded = () =>
    rankWarnings(preview?.warnings ?? warnings).map((warning) => ({
      ...warning,
      get words() {
        return textOf(render(Warnings, { warnings: [warning], ...(preview && { funds: preview }) }))
      },
    }))
  return {
    get text() {
      return now().text
    },
    get headline() {
      return now().headline
    },
    warnings: worded(),
    risk: review.risk,
    preview,
    review,
  }
}

// One cache of styles for all screens: without it Emotion makes one for every element.
const styles = createCache({ key: 'lk' })
const render = (view: unknown, props: object): string => {
  const drawn = createElement(view as Parameters<typeof createElement>[0], props)
  return renderToStaticMarkup(createElement(CacheProvider, { value: styles }, drawn))
}

/** The text of markup, as somebody reads it: without invisible marks. */
export const textOf = (markup: string): string =>
  markup
    .replace(/<style[\s\S]*?<\/style>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x27;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/[\p{Cf}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Whether a screen says something: addresses and long figures stand in groups there. */
export const says = ({ text }: Pick<VaultScreen, 'text'>, words: string): boolean =>
  text.replaceAll(' ', '').includes(words.replaceAll(' ', ''))
