import type { KitError } from '../../src/errors/kit-error.ts'

/** What a piece of work fails with. */
export const failure = (work: Promise<unknown>): Promise<KitError> =>
  work.then(
    () => {
      throw new Error('It did not fail')
    },
    (cause: KitError) => cause,
  )

/** The code that a piece of work fails with. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing was thrown',
    ({ code }: KitError) => code,
  )
