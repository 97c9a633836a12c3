/** Instructions that a node has parsed itself, as it does in a simulation: those by which somebody could take something. */
import type { ActionDetail, AuthorityRole } from './actions.ts'
import { SYSTEM_PROGRAM } from './programs/system.ts'
import { TOKEN_PROGRAM } from './programs/token.ts'
import { TOKEN_2022_PROGRAM } from './programs/token-2022.ts'
import { natural, recordOf, textOf } from './queries.ts'

type Info = Readonly<Record<string, unknown>>

/** The node's own words for the roles that are called otherwise here. */
const roles: Readonly<Record<string, AuthorityRole>> = {
  transferHookProgramId: 'transferHookProgram',
  confidentialTransferFeeConfig: 'confidentialTransferFee',
  scaledUiAmount: 'scaledAmount',
  withheldWithdrawTokens: 'withheldWithdraw',
}

/** Reads an instruction in parsed form; `undefined` for one that is not needed. Throws `Unreachable` for a malformed one. */
export function readParsed(program: string, parsed: unknown): ActionDetail | undefined {
  // A memo is only its text.
  if (typeof parsed !== 'object') return undefined
  const { type, info } = recordOf(parsed)
  if (program === SYSTEM_PROGRAM) return readSystem(String(type), recordOf(info))
  if (program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM)
    return readToken(String(type), recordOf(info))
  return undefined
}

function readSystem(type: string, info: Info): ActionDetail | undefined {
  switch (type) {
    case 'transfer':
    case 'transferWithSeed':
      return {
        kind: 'transferSol',
        from: textOf(info.source),
        to: textOf(info.destination),
        lamports: natural(info.lamports),
      }
    case 'createAccount':
    case 'createAccountWithSeed':
      return {
        kind: 'createAccount',
        payer: textOf(info.source),
        account: textOf(info.newAccount),
        lamports: natural(info.lamports),
        space: natural(info.space),
        owner: textOf(info.owner),
      }
    case 'assign':
    case 'assignWithSeed':
      return { kind: 'assign', account: textOf(info.account), owner: textOf(info.owner) }
    default:
      return undefined
  }
}

function readToken(type: string, info: Info): ActionDetail | undefined {
  // An amount stands alone, or beside its decimals where the instruction checks them.
  const checked = info.tokenAmount === undefined ? undefined : recordOf(info.tokenAmount)
  const amount = () => natural(checked ? checked.amount : info.amount)
  const decimals = checked && Number(natural(checked.decimals))
  const mint = info.mint === undefined ? undefined : textOf(info.mint)
  // The owner of an account with several signers has another name.
  const signer = (name: string) =>
    textOf(info[name] ?? info[`multisig${name[0]?.toUpperCase()}${name.slice(1)}`])
  switch (type) {
    case 'transfer':
    case 'transferChecked':
    case 'transferCheckedWithFee':
      return {
        kind: 'transferToken',
        source: textOf(info.source),
        destination: textOf(info.destination),
        authority: signer('authority'),
        amount: amount(),
        mint,
        decimals,
        fee: undefined,
        sourceOwner: undefined,
        destinationOwner: undefined,
      }
    case 'approve':
    case 'approveChecked':
      return {
        kind: 'approveToken',
        account: textOf(info.source),
        delegate: textOf(info.delegate),
        owner: signer('owner'),
        amount: amount(),
        mint,
        decimals,
      }
    case 'setAuthority': {
      const name = textOf(info.authorityType)
      return {
        kind: 'setAuthority',
        account: textOf(info.account ?? info.mint),
        role: roles[name] ?? (name as AuthorityRole),
        current: signer('authority'),
        next:
          info.newAuthority === null || info.newAuthority === undefined
            ? undefined
            : textOf(info.newAuthority),
      }
    }
    case 'closeAccount':
      return {
        kind: 'closeAccount',
        account: textOf(info.account),
        destination: textOf(info.destination),
        owner: signer('owner'),
      }
    default:
      return undefined
  }
}
