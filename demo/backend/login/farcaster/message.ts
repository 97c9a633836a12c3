import type { Address } from 'viem'

/** What a message must say to be an answer to what we asked. */
export interface Asked {
  nonce: string
  /** Host and port of the page, as a browser writes them. */
  domain: string
  /** `http` or `https`. */
  scheme: string
  /** Whether this is an address that the login was asked for. */
  uri: (uri: string) => boolean
  /** Milliseconds: when it was asked, and until when an answer counts. */
  from: number
  until: number
}
/** What the message says, if its signature is right. */
export interface Claim {
  address: Address
  fid: number
}

const STATEMENT = 'Farcaster Auth'
/** Optimism, where the Id Registry is. */
const CHAIN_ID = 10
/** Longer than any message that an app makes. */
const MOST = 4_096
const timed = /^(Issued At|Expiration Time|Not Before): /

/** The nonce that a message carries, if it has the form of one. */
export async function nonceIn(text: string): Promise<string | undefined> {
  const { parseSiweMessage } = await import('viem/siwe')
  return text.length <= MOST ? parseSiweMessage(text).nonce : undefined
}

/**
 * Reads a Sign In With Farcaster message (ERC-4361, FIP-11) and holds each of its fields against what was asked.
 * `undefined`: it is not the answer, even if it is signed.
 * @param skew milliseconds that clocks may differ
 */
export async function readMessage(
  text: string,
  asked: Asked,
  now: number,
  skew: number,
): Promise<Claim | undefined> {
  if (text.length > MOST) return undefined
  const [{ isAddress }, { parseSiweMessage }] = await Promise.all([import('viem'), import('viem/siwe')])
  const { address, issuedAt, expirationTime, notBefore, resources = [], ...said } = parseSiweMessage(text)
  const time = (date: Date | undefined) => date?.getTime() ?? Number.NaN
  const fid = /^farcaster:\/\/fid\/([1-9]\d{0,15})$/.exec(resources[0] ?? '')?.[1]
  if (!address || !isAddress(address) || !fid || resources.length !== 1) return undefined

  const right =
    said.domain === asked.domain &&
    (said.scheme === undefined || said.scheme === asked.scheme) &&
    said.statement === STATEMENT &&
    said.uri !== undefined &&
    asked.uri(said.uri) &&
    said.version === '1' &&
    said.chainId === CHAIN_ID &&
    said.nonce === asked.nonce &&
    time(issuedAt) >= asked.from - skew &&
    time(issuedAt) <= now + skew &&
    (expirationTime === undefined ||
      (now < time(expirationTime) && time(expirationTime) <= asked.until + skew)) &&
    (notBefore === undefined || time(notBefore) <= now + skew)
  if (!right || !isWhole(text, { ...said, address, fid })) return undefined
  return { address, fid: Number(fid) }
}

/** Whether the fields are all that the text says: nothing before, between, after or twice. */
function isWhole(
  text: string,
  said: { [Name in 'scheme' | 'domain' | 'uri' | 'nonce' | 'requestId']?: string | undefined } & {
    address: string
    fid: string
  },
): boolean {
  const lines = text.split('\n')
  const times = lines.filter((line) => timed.test(line))
  const expected = [
    `${said.scheme ? `${said.scheme}://` : ''}${said.domain} wants you to sign in with your Ethereum account:`,
    said.address,
    '',
    STATEMENT,
    '',
    `URI: ${said.uri}`,
    'Version: 1',
    `Chain ID: ${CHAIN_ID}`,
    `Nonce: ${said.nonce}`,
    ...times,
    ...(said.requestId === undefined ? [] : [`Request ID: ${said.requestId}`]),
    'Resources:',
    `- farcaster://fid/${said.fid}`,
  ]
  const kinds = times.map((line) => line.slice(0, line.indexOf(':')))
  return new Set(kinds).size === kinds.length && lines.join('\n') === expected.join('\n')
}
