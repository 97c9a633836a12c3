/** How a node writes what went wrong with a transaction. */
export type TransactionError = string | { InstructionError: [number, string | { Custom: number }] }

/** In the order in which the machine counts them. */
const transactionErrors = [
  ...['AccountInUse', 'AccountLoadedTwice', 'AccountNotFound', 'ProgramAccountNotFound'],
  ...['InsufficientFundsForFee', 'InvalidAccountForFee', 'AlreadyProcessed', 'BlockhashNotFound'],
]
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The name that the network uses for an error of the machine: a number here, an object there. */
export function nameOf(error: unknown): TransactionError {
  if (typeof error === 'number') return transactionErrors[error] ?? `Error${error}`
  if (!isObject(error)) return 'UnknownError'
  const name = error.constructor.name
  if (name !== 'TransactionErrorInstructionError') return name.replace(/^TransactionError/, '')
  const { index, err } = error as { index: number; err(): unknown }
  const inner = err.call(error)
  if (isObject(inner) && inner.constructor.name === 'InstructionErrorCustom')
    return { InstructionError: [index, { Custom: (inner as { code: number }).code }] }
  return { InstructionError: [index, isObject(inner) ? inner.constructor.name : `Instruction#${inner}`] }
}

/** As the message of a refused transaction has it. */
export const sayError = (error: TransactionError): string => {
  if (typeof error === 'string') return error
  const [index, what] = error.InstructionError
  const said = typeof what === 'string' ? what : `custom program error: 0x${what.Custom.toString(16)}`
  return `Error processing Instruction ${index}: ${said}`
}
