/** What a wallet does with a request instead of answering it. */
export type Fault =
  /** The person declines: 4001. */
  | 'reject'
  /** There is never an answer. */
  | 'hang'
  /** The call itself throws, where a promise was expected. */
  | 'throw'
  /** The wallet opens itself, without any account. */
  | 'nothing'
  /** -32002: such a request is waiting already. */
  | 'pending'
  /** -32603 */
  | 'internal'
  /** 4900: the wallet has no connection. */
  | 'disconnected'
  /** 4100 */
  | 'unauthorized'
  /** The signature is sound, but somebody else's. */
  | 'other-key'
  /** Thrown unchanged, even if it is not an error. */
  | { readonly error: unknown }
  /** Returned unchanged for every request. */
  | { readonly answer: unknown }

export interface Call {
  readonly method: string
  readonly params: unknown
}
/** What a person would be shown before they agree. */
export interface Question {
  readonly wallet: string
  readonly kind: 'connect' | 'sign' | 'send' | 'add chain'
  readonly origin: string
  /** What is to be signed or sent, as text. */
  readonly text?: string | undefined
}
/** The person: true is yes. */
export type Approve = (question: Question) => boolean | Promise<boolean>

/** Where a wallet keeps what outlives a page: to whom it is open, and on which chain it is. */
export interface Memory {
  read(): string | null
  write(text: string): void
}

/** What tests tell any of the wallets. */
export interface Script {
  /** Everything that was asked, in order. */
  readonly calls: readonly Call[]
  /** The next request has this fault; with a method, the next one of that. */
  next(fault: Fault, method?: string): void
  /** All requests have it, until it is `undefined`. */
  always(fault: Fault | undefined, method?: string): void
  /** Does something while the next request of that method is under way, before it is answered. */
  during(method: string, act: () => unknown): void
}

/** An error as EIP-1193 wants it: wallets for Solana use the same codes. */
export const providerError = (code: number, message: string, data?: unknown) =>
  Object.assign(new Error(message), { code, ...(data !== undefined && { data }) })

const errors = {
  reject: [4001, 'User rejected the request.'],
  pending: [-32002, 'Request of this type already pending. Please wait.'],
  internal: [-32603, 'Internal JSON-RPC error.'],
  disconnected: [4900, 'The provider is disconnected from all chains.'],
  unauthorized: [4100, 'The requested account and/or method has not been authorized by the user.'],
} as const

function errorOf(fault: keyof typeof errors): Error {
  const [code, message] = errors[fault]
  return providerError(code, message)
}

/** The script, and how a wallet plays it. */
export function createScript() {
  const calls: Call[] = []
  const nexts: { fault: Fault; method: string | undefined }[] = []
  const forAll = new Map<string | undefined, Fault>()
  const acts: { method: string; act: () => unknown }[] = []

  const script: Script = {
    calls,
    next: (fault, method) => void nexts.push({ fault, method }),
    always: (fault, method) => void (fault ? forAll.set(method, fault) : forAll.delete(method)),
    during: (method, act) => void acts.push({ method, act }),
  }

  function take(method: string): Fault | undefined {
    const at = nexts.findIndex((each) => each.method === undefined || each.method === method)
    if (at >= 0) return nexts.splice(at, 1)[0]?.fault
    return forAll.get(method) ?? forAll.get(undefined)
  }

  /**
   * Plays a request: throws at once where the script says so, and else promises what comes of it.
   * @param answer gets the fault where it is one that only the answer can show
   */
  function play<T>(
    call: Call,
    answer: (fault: 'nothing' | 'other-key' | undefined) => Promise<T>,
  ): Promise<T> {
    calls.push(call)
    const fault = take(call.method)
    if (fault === 'throw')
      throw new TypeError(`Cannot read properties of undefined (reading '${call.method}')`)
    return (async () => {
      if (fault === 'hang') return new Promise<never>(() => {})
      if (typeof fault === 'object') {
        if ('error' in fault) throw fault.error
        return fault.answer as T
      }
      if (fault !== undefined && fault !== 'nothing' && fault !== 'other-key') throw errorOf(fault)
      const at = acts.findIndex(({ method }) => method === call.method)
      if (at >= 0) await acts.splice(at, 1)[0]?.act()
      return answer(fault)
    })()
  }

  return { script, play }
}

/** Rejects like the person who was asked and said no. */
export async function agreed(
  approve: Approve | undefined,
  question: Omit<Question, 'origin'>,
): Promise<void> {
  const origin = typeof location === 'undefined' ? '' : location.origin
  if (approve && !(await approve({ ...question, origin }))) throw errorOf('reject')
}

/** Listeners by event; what one of them throws stays with it. */
export function createListeners() {
  const all = new Map<string, Set<(...input: never[]) => void>>()
  return {
    on(event: string, listener: (...input: never[]) => void) {
      all.set(event, (all.get(event) ?? new Set()).add(listener))
    },
    off: (event: string, listener: (...input: never[]) => void) => void all.get(event)?.delete(listener),
    emit(event: string, ...input: unknown[]) {
      for (const listener of [...(all.get(event) ?? [])]) {
        try {
          listener(...(input as never[]))
        } catch (cause) {
          console.warn(`A listener of ${event} threw`, cause)
        }
      }
    },
    /** How many there are: none may stay behind. */
    count: () => [...all.values()].reduce((sum, { size }) => sum + size, 0),
  }
}
