import { vi } from 'vitest'
import type { KitError } from '../../src/errors/kit-error.ts'
import { settled, type TestClock } from './clock.ts'
import type { scriptedPerson } from './person.ts'

type Props = Record<string, unknown>
/** What a person does on a screen who wants to get on; `undefined` where they can only wait. */
export type AnswerTo = (screen: string, props: Props) => unknown

export interface Persistence {
  clock: TestClock
  person: ReturnType<typeof scriptedPerson>
  /** What the person begins. */
  begin: () => Promise<unknown>
  answerTo: AnswerTo
  /** What others do meanwhile, such as the pages of windows. */
  others?: (() => void) | undefined
  /** After so many failures the person closes the dialog. */
  patience: number
  /** The longest that they may wait for a screen that leads on, in milliseconds. */
  longestWait: number
}
export interface Persisted {
  value?: unknown
  error?: KitError
  /** The words of each failure that the person has read. */
  seen: string[]
}

const MOST_ANSWERS = 100

/**
 * Follows a person who goes on as long as possible, and presses 'Try again' a few times.
 * @throws Error when there is nothing for them to do for longer than they may have to wait, or no end of it
 */
export async function persist(set: Persistence): Promise<Persisted> {
  const { clock, person, answerTo, patience, longestWait } = set
  const seen: string[] = []
  let end: Pick<Persisted, 'value' | 'error'> | undefined
  set.begin().then(
    (value) => {
      end = { value }
    },
    (error: KitError) => {
      end = { error }
    },
  )
  let waited = 0
  let answers = 0
  while (!end) {
    await settled()
    await hashed()
    set.others?.()
    const scene = person.scene
    const props = scene?.props as Props
    const answer = scene && scene.busy === undefined ? answerTo(scene.screen.id, props) : undefined
    if (!scene || answer === undefined) {
      if (waited > longestWait)
        throw new Error(`An endless wait on ${scene?.screen.id}: ${person.trace().join(' ')}`)
      // No time passes while a busy machine loads a module.
      await vi.dynamicImportSettled()
      await clock.advance(500)
      waited += 500
      continue
    }
    waited = 0
    const words = wordsOf(props)
    if (words) {
      seen.push(words)
      if (seen.length > patience) {
        person.close()
        await clock.advance(1_000)
        continue
      }
    }
    if (++answers > MOST_ANSWERS)
      throw new Error(`An endless round over ${scene.screen.id}: ${person.trace().slice(-9).join(' ')}`)
    scene.answer(answer)
    await clock.advance(0)
  }
  return { ...end, seen }
}

/** The press that leads on from a screen in its failed state; `undefined` in any other state. */
export function answerToFailure({ action, failure, phase, retryable, state }: Props): unknown {
  if (state === 'failed') return action ?? (retryable ? 'retry' : 'back')
  if (phase === 'failed') return (failure as { retryable: boolean }).retryable ? 'retry' : 'back'
  return undefined
}

/** What a screen says of a failure. */
function wordsOf(props: Props): string | undefined {
  const { error, title, detail, state, ...fields } = props as Record<string, string | undefined>
  if (error) return error
  if (props.ok === false) return detail
  // Those of a window that the browser did not open, or that is gone by the time that it is needed.
  if (props.phase === 'blocked' || props.phase === 'ready') return 'Another press is asked for'
  for (const name of ['email', 'phone']) {
    const field = fields[name] as { error?: string } | undefined
    if (field?.error) return field.error
  }
  const failure = fields.failure as { title: string; detail?: string } | undefined
  if (failure) return `${failure.title} / ${failure.detail}`
  return title && detail && (state === undefined || state === 'failed') ? `${title} / ${detail}` : undefined
}

let open = 0
/**
 * Counts what the Web Crypto API is doing, which runs on threads that no turn of the loop waits for: time must not pass
 * while it does.
 */
function countHashing(): void {
  const { subtle } = crypto
  for (const name of ['digest', 'sign', 'verify', 'generateKey', 'importKey', 'exportKey'] as const) {
    const real = subtle[name].bind(subtle) as (...given: unknown[]) => Promise<unknown>
    Object.defineProperty(subtle, name, {
      configurable: true,
      value: async (...given: unknown[]) => {
        open++
        try {
          return await real(...given)
        } finally {
          open--
        }
      },
    })
  }
}
countHashing()

async function hashed(): Promise<void> {
  while (open > 0) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    await settled()
  }
}
