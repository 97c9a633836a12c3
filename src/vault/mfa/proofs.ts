import type { Clock } from '../../lib/clock.ts'
import { isPlainObject, type Plain, parsePlain } from '../../lib/plain.ts'
import type { Storage } from '../../lib/storage.ts'
import { type MfaPurpose, mfaPurposes } from '../../protocol/frame/calls.ts'
import { type MfaAsked, VaultError } from '../errors.ts'
import { vaultLimits } from '../limits.ts'
import type { Post, PostOptions } from '../server/transport.ts'
import type { Token } from '../token.ts'

/** What the server gave for a second factor that was shown: good in this session and on this device alone. */
export interface MfaProof {
  /** `enrolment`: given for setting a factor up, and good for what is added to it, not for using wallets. */
  readonly purpose: MfaPurpose | 'enrolment'
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** The proofs of the person who is here, shared by the vault's pages in one tab; those of somebody else are dropped. */
export interface MfaProofs {
  /** The latest one, whatever it was given for: as proof that wallets may be used, each is good. */
  latest(user: string): MfaProof | undefined
  /** One that is good for this purpose now. */
  good(user: string, purpose: MfaPurpose): MfaProof | undefined
  keep(user: string, proof: MfaProof): void
  /** The server no longer accepts it. */
  drop(user: string, proof: MfaProof): void
  forget(user: string): void
  /** When the latest one ends; never, for somebody who has shown nothing. */
  until(user: string): number
}

/** @param storage the pages of the vault in one tab share it: the frame that nobody sees, and that of an approval */
export function createMfaProofs(appId: string, storage: Storage, clock: Pick<Clock, 'now'>): MfaProofs {
  const name = `latchkey-mfa:${appId}`
  const read = (user: string): readonly MfaProof[] => {
    const kept = parsePlain(storage.get(name) ?? '', vaultLimits.mfaProofsSize)
    if (!isPlainObject(kept) || kept.user !== user || !Array.isArray(kept.proofs)) return []
    return kept.proofs.flatMap(readProof).filter(({ at }) => at > clock.now() - vaultLimits.mfaKept)
  }
  const write = (user: string, proofs: readonly MfaProof[]) =>
    proofs.length > 0 ? storage.set(name, JSON.stringify({ user, proofs })) : storage.remove(name)
  const latest = (user: string) =>
    read(user)
      .filter(({ purpose }) => purpose !== 'enrolment')
      .sort((a, b) => b.at - a.at)[0]
  return {
    latest,
    good(user, purpose) {
      if (purpose === 'use') return latest(user)
      const fresh = (wanted: MfaProof['purpose']) =>
        read(user).find((proof) => proof.purpose === wanted && proof.at > clock.now() - vaultLimits.mfaFresh)
      return fresh(purpose) ?? (purpose === 'factors' ? fresh('enrolment') : undefined)
    },
    keep(user, proof) {
      write(user, [...read(user).filter(({ purpose }) => purpose !== proof.purpose), proof])
    },
    drop(user, { text }) {
      write(
        user,
        read(user).filter((proof) => proof.text !== text),
      )
    },
    forget(user) {
      if (read(user).length > 0) storage.remove(name)
    },
    until(user) {
      const proof = latest(user)
      return proof ? proof.at + vaultLimits.mfaKept : Number.POSITIVE_INFINITY
    },
  }
}

const provedPurposes = [...mfaPurposes, 'enrolment'] as const

function readProof(value: Plain | undefined): MfaProof[] {
  if (!isPlainObject(value)) return []
  const { purpose: named, text, at } = value
  const purpose = provedPurposes.find((known) => known === named)
  return purpose && typeof text === 'string' && typeof at === 'number' ? [{ purpose, text, at }] : []
}

/**
 * Has a second factor shown, and gives what the server gave for it. Throws `refusal` where nobody can be asked, and a `VaultError`
 * where it is not shown.
 */
export type ProveMfa = (asked: MfaAsked, token: Token, refusal: unknown) => Promise<MfaProof>

/** Nobody is asked: it is for others to see to that. */
export const unasked: ProveMfa = async (_asked, _token, refusal) => {
  throw refusal
}

/**
 * Calls to the server with a proof of a second factor. Where it wants another one, that is had and the call is made again; a proof
 * that was given just now and is refused all the same is no reason to ask once more.
 */
export function provingMfa(api: Post, proofs: MfaProofs, prove: ProveMfa): Post {
  async function post(
    token: Token | undefined,
    path: string,
    body: object | undefined,
    options: PostOptions = {},
  ) {
    let sent = token && proofs.latest(token.user)
    for (let proved = false; ; ) {
      try {
        return await api(token, path, body, { ...options, mfaProof: sent?.text })
      } catch (cause) {
        const asked = cause instanceof VaultError ? cause.mfa : undefined
        if (!token || !asked || proved) throw cause
        const { user } = token
        // That of an enrolment is sent only where factors are asked for: refused there, it is of no more use.
        const { purpose } = asked
        if (sent && (purpose === 'use' || purpose === sent.purpose || sent.purpose === 'enrolment'))
          proofs.drop(user, sent)
        const known = proofs.good(user, purpose)
        proved = known === undefined
        sent = known ?? (await prove(asked, token, cause))
      }
    }
  }
  return post as Post
}
