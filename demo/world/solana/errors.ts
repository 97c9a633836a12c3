/** How a node writes what went wrong with a transaction. */
export type TransactionError =
  | string
  | { InstructionError: [number, string | { Custom: number }] }
  | { [name: string]: number | { account_index: number } }
type OfInstruction = Extract<TransactionError, { InstructionError: unknown }>

/** In the order in which the machine counts them. */
const transactionErrors = [
  ...'AccountInUse AccountLoadedTwice AccountNotFound ProgramAccountNotFound'.split(' '),
  ...'InsufficientFundsForFee InvalidAccountForFee AlreadyProcessed BlockhashNotFound'.split(' '),
  ...'CallChainTooDeep MissingSignatureForFee InvalidAccountIndex SignatureFailure'.split(' '),
  ...'InvalidProgramForExecution SanitizeFailure ClusterMaintenance'.split(' '),
  ...'AccountBorrowOutstanding WouldExceedMaxBlockCostLimit UnsupportedVersion'.split(' '),
  ...'InvalidWritableAccount WouldExceedMaxAccountCostLimit'.split(' '),
  ...'WouldExceedAccountDataBlockLimit TooManyAccountLocks AddressLookupTableNotFound'.split(' '),
  ...'InvalidAddressLookupTableOwner InvalidAddressLookupTableData'.split(' '),
  ...'InvalidAddressLookupTableIndex InvalidRentPayingAccount WouldExceedMaxVoteCostLimit'.split(' '),
  ...'WouldExceedAccountDataTotalLimit MaxLoadedAccountsDataSizeExceeded'.split(' '),
  ...'ResanitizationNeeded InvalidLoadedAccountsDataSizeLimit UnbalancedTransaction'.split(' '),
  ...'ProgramCacheHitMaxLimit CommitCancelled'.split(' '),
]
/** The same for the errors of one instruction. */
const instructionErrors = [
  ...'GenericError InvalidArgument InvalidInstructionData InvalidAccountData'.split(' '),
  ...'AccountDataTooSmall InsufficientFunds IncorrectProgramId MissingRequiredSignature'.split(' '),
  ...'AccountAlreadyInitialized UninitializedAccount UnbalancedInstruction'.split(' '),
  ...'ModifiedProgramId ExternalAccountLamportSpend ExternalAccountDataModified'.split(' '),
  ...'ReadonlyLamportChange ReadonlyDataModified DuplicateAccountIndex ExecutableModified'.split(' '),
  ...'RentEpochModified NotEnoughAccountKeys AccountDataSizeChanged AccountNotExecutable'.split(' '),
  ...'AccountBorrowFailed AccountBorrowOutstanding DuplicateAccountOutOfSync InvalidError'.split(' '),
  ...'ExecutableDataModified ExecutableLamportChange ExecutableAccountNotRentExempt'.split(' '),
  ...'UnsupportedProgramId CallDepth MissingAccount ReentrancyNotAllowed'.split(' '),
  ...'MaxSeedLengthExceeded InvalidSeeds InvalidRealloc ComputationalBudgetExceeded'.split(' '),
  ...'PrivilegeEscalation ProgramEnvironmentSetupFailure ProgramFailedToComplete'.split(' '),
  ...'ProgramFailedToCompile Immutable IncorrectAuthority AccountNotRentExempt'.split(' '),
  ...'InvalidAccountOwner ArithmeticOverflow UnsupportedSysvar IllegalOwner'.split(' '),
  ...'MaxAccountsDataAllocationsExceeded MaxAccountsExceeded'.split(' '),
  ...'MaxInstructionTraceLengthExceeded BuiltinProgramsMustConsumeComputeUnits BorshIoError'.split(' '),
]
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The name that the network uses for an error of the machine: a number here, an object there. */
export function nameOf(error: unknown): TransactionError {
  if (typeof error === 'number') return transactionErrors[error] ?? `Error${error}`
  if (!isObject(error)) return 'UnknownError'
  const name = error.constructor.name.replace(/^TransactionError/, '')
  if (name === 'InsufficientFundsForRent' || name === 'ProgramExecutionTemporarilyRestricted')
    return { [name]: { account_index: (error as { accountIndex: number }).accountIndex } }
  if (name === 'DuplicateInstruction') return { [name]: (error as { index: number }).index }
  if (name !== 'InstructionError') return name
  const { index, err } = error as { index: number; err(): unknown }
  const inner = err.call(error)
  if (isObject(inner) && inner.constructor.name === 'InstructionErrorCustom')
    return { InstructionError: [index, { Custom: (inner as { code: number }).code }] }
  const what = isObject(inner) ? 'BorshIoError' : (instructionErrors[Number(inner)] ?? 'GenericError')
  return { InstructionError: [index, what] }
}

/** As the message of a refused transaction has it. */
export const sayError = (error: TransactionError): string => {
  if (typeof error === 'string') return error
  if (!('InstructionError' in error)) return Object.keys(error).join()
  const [index, what] = (error as OfInstruction).InstructionError
  const said = typeof what === 'string' ? what : `custom program error: 0x${what.Custom.toString(16)}`
  return `Error processing Instruction ${index}: ${said}`
}
