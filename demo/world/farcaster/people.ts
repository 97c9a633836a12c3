import { type Address, getAddress, type Hex, keccak256, slice, toBytes } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** Somebody on Farcaster, as this stand-in knows them. */
export interface Person {
  fid: number
  username: string
  displayName: string
  bio: string
  pfpUrl: string
  /** Signs for the fid; the same key in each run. */
  key: PrivateKeyAccount
  /** The owner of the fid: the key itself, or a contract wallet of the key. */
  custody: Address
  wallet: 'key' | 'contract' | 'contract to be deployed'
}

const names = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eve']
/** The people whom the phone offers; every other fid exists as soon as somebody asks for it. */
export const offered = names.map((_, i) => 1_001 + i)
/** The ids of these are owned by contract wallets. */
export const contractWallets: Readonly<Record<number, Person['wallet']>> = {
  2001: 'contract',
  2002: 'contract to be deployed',
}

const known = new Map<number, Person>()
const owners = new Map<string, Person>()

/** The person with this fid, a whole number from 1 on. */
export function personOf(fid: number): Person {
  const found = known.get(fid)
  if (found) return found
  const name = names[offered.indexOf(fid)] ?? `Person ${fid}`
  const seed = keccak256(toBytes(`latchkey farcaster ${fid}`))
  const key = privateKeyToAccount(seed)
  const wallet = contractWallets[fid] ?? 'key'
  const person: Person = {
    fid,
    username: name.toLowerCase().replace(' ', '-'),
    displayName: name,
    bio: `${name} is on Farcaster, as far as this demo goes.`,
    pfpUrl: `https://example.com/farcaster/${fid}.png`,
    key,
    custody: wallet === 'key' ? key.address : getAddress(slice(keccak256(seed), 12) as Hex),
    wallet,
  }
  known.set(fid, person)
  owners.set(person.custody.toLowerCase(), person)
  return person
}

/** Whose custody an address is. */
export const ownerAt = (address: string): Person | undefined => owners.get(address.toLowerCase())

for (const fid of [...offered, ...Object.keys(contractWallets).map(Number)]) personOf(fid)
