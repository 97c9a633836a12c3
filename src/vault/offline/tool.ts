import { parseArgs } from 'node:util'
import { ShareError } from '../errors.ts'
import { vaultLimits } from '../limits.ts'
import { FileError } from './file-error.ts'
import { type Asked, rebuild, WrongKey } from './rebuild.ts'
import { type RecoveryRoot, readDriveFile, readRecoveryFile } from './recovery-file.ts'
import { type RootReport, reportOf, textOf } from './report.ts'

/** The terminal and the disk, as far as the tool needs them. */
export interface ToolIo {
  read(file: string): string
  /** Writes for the person who runs the tool and for nobody else, or throws {@link FileError}. */
  write(file: string | undefined, text: string, secret: boolean): void
  /** Asks without showing what is typed. */
  ask(question: string): Promise<string>
  /** Whether somebody can be asked again. */
  readonly patient: boolean
  say(line: string): void
}

const usage = `latchkey-recover: rebuilds wallets from a recovery file, without any service and without a network.

  latchkey-recover <file>            addresses and derivation paths
      --reveal                       private keys and recovery phrases as well
      --drive <file>                 the recovery file of the person's own drive, as it was downloaded
      --wallets <n>                  the first n wallets of each chain, beside those that the file names (1)
      --json                         for programs
      --out <new file>               into a file that only you can read
      --help

A password is asked for on the terminal and is not shown; without a terminal it is the first line of the input.
The formats are described in docs/recovery.md of the package.
`

const options = {
  reveal: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  drive: { type: 'string', multiple: true, default: [] as string[] },
  wallets: { type: 'string', default: '1' },
  out: { type: 'string' },
} as const

/** Runs the tool. Gives the exit code: 0 all rebuilt as recorded, 1 something was not, 2 it was called wrongly. */
export async function runTool(args: readonly string[], io: ToolIo): Promise<number> {
  let called: ReturnType<typeof readArgs>
  try {
    called = readArgs(args)
  } catch (cause) {
    io.say(`${cause instanceof Error ? cause.message : cause}\n\n${usage}`)
    return 2
  }
  if (called.help) {
    io.write(undefined, usage, false)
    return 0
  }
  try {
    return await recoverAll(called, io)
  } catch (cause) {
    if (!(cause instanceof FileError || cause instanceof ShareError)) throw cause
    io.say(cause.message)
    return 1
  }
}

function readArgs(args: readonly string[]) {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const [file = '', ...more] = positionals
  if (!values.help && (file === '' || more.length > 0)) throw new Error('Name one recovery file.')
  const wallets = Number(values.wallets)
  if (!Number.isInteger(wallets) || wallets < 0 || wallets > vaultLimits.recoveredWallets)
    throw new Error(`--wallets must be a number up to ${vaultLimits.recoveredWallets}.`)
  return { ...values, file, wallets }
}

type Called = ReturnType<typeof readArgs>

async function recoverAll(called: Called, io: ToolIo): Promise<number> {
  const { roots } = await readRecoveryFile(io.read(called.file))
  const drives = new Map(
    called.drive.map((name) => {
      const { walletId, secret } = readDriveFile(io.read(name))
      return [walletId, secret]
    }),
  )
  const persons = createAsked(drives, io)
  // Asked before anything is typed: nobody should give a password for an output that is then refused.
  if (called.reveal && called.out === undefined) io.write(undefined, '', true)
  const reports: RootReport[] = []
  let failed = roots.length === 0
  for (const root of roots) {
    try {
      reports.push(await recoverOne(root, persons, called, io))
    } catch (cause) {
      if (!(cause instanceof FileError || cause instanceof WrongKey)) throw cause
      failed = true
      io.say(
        `${root.walletId}: ${cause instanceof WrongKey ? 'the password or secret is wrong' : cause.message}`,
      )
    }
  }
  const text = called.json
    ? `${JSON.stringify({ roots: reports }, null, 2)}\n`
    : reports.map(textOf).join('\n')
  if (reports.length > 0) io.write(called.out, text, called.reveal)
  const strange = reports.some(({ wallets }) => wallets.some(({ asRecorded }) => asRecorded === false))
  if (strange)
    io.say('An address differs from the one in the file. The keys belong to the addresses shown here.')
  return failed || strange ? 1 : 0
}

/** A wrong password may be entered again. */
async function recoverOne(
  root: RecoveryRoot,
  { asked, forget }: ReturnType<typeof createAsked>,
  { reveal, wallets: more }: Called,
  io: ToolIo,
): Promise<RootReport> {
  for (let tries = 1; ; tries++) {
    try {
      return await rebuild(root, asked, (open) => reportOf(open, root, { reveal, more }))
    } catch (cause) {
      forget()
      if (!(cause instanceof WrongKey) || !io.patient || tries === vaultLimits.passwordTries) throw cause
      io.say('That is not correct.')
    }
  }
}

/** One password usually serves all roots of a person, so it is asked for once. */
function createAsked(drives: ReadonlyMap<string, string>, io: ToolIo): { asked: Asked; forget(): void } {
  let password: string | undefined
  return {
    asked: {
      async password() {
        password ??= await io.ask('Recovery password: ')
        return password
      },
      secret: async (walletId, from) =>
        drives.get(walletId) ?? io.ask(`Secret of wallet ${walletId} from ${from}: `),
    },
    forget() {
      password = undefined
    },
  }
}
