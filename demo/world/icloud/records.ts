import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { CloudKitError } from './errors.ts'

interface Field {
  value: unknown
  type: string
}
type Stamp = { timestamp: number; userRecordName: string; deviceID: string }
/** A record as CloudKit answers it. */
export interface CloudRecord {
  recordName: string
  recordType: string
  fields: Record<string, Field>
  pluginFields: Record<string, never>
  recordChangeTag: string
  created: Stamp
  modified: Stamp
  deleted: boolean
}
/** The private database of one person, in one container and environment. */
export type PrivateDatabase = Record<string, CloudRecord>

const MOST_OPERATIONS = 200
const MOST_CHARACTERS = 1_048_576

const names = v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9_]{0,254}$/))
const recordName = v.pipe(v.string(), v.regex(/^(?!_)[\x21-\x7e]{1,255}$/))
const field = v.pipe(
  v.strictObject({
    value: v.union([
      v.pipe(v.string(), v.maxLength(MOST_CHARACTERS)),
      v.pipe(v.number(), v.safeInteger()),
      v.null(),
    ]),
    type: v.optional(v.picklist(['STRING', 'INT64', 'BYTES', 'TIMESTAMP'])),
  }),
  v.transform(
    ({ value, type }): Field => ({ value, type: type ?? (typeof value === 'number' ? 'INT64' : 'STRING') }),
  ),
)
const zone = v.optional(v.object({ zoneName: v.string() }), { zoneName: '_defaultZone' })
const operation = v.object({
  operationType: v.picklist([
    ...(['create', 'update', 'forceUpdate', 'replace', 'forceReplace', 'delete', 'forceDelete'] as const),
  ]),
  record: v.object({
    recordName: v.optional(recordName),
    recordType: v.optional(names),
    recordChangeTag: v.optional(v.string()),
    fields: v.optional(v.record(names, field), {}),
  }),
})
type Operation = v.InferOutput<typeof operation>

export const modifyBody = v.object({
  operations: v.pipe(v.array(operation), v.minLength(1), v.maxLength(MOST_OPERATIONS)),
  zoneID: zone,
})
export const lookupBody = v.object({
  records: v.pipe(v.array(v.object({ recordName })), v.minLength(1), v.maxLength(MOST_OPERATIONS)),
  zoneID: zone,
})

/** @throws CloudKitError for any zone but the one that everybody has */
export function checkZone({ zoneID }: { zoneID: { zoneName: string } }): void {
  if (zoneID.zoneName !== '_defaultZone') throw new CloudKitError('ZONE_NOT_FOUND', 'Zone does not exist')
}

/** Each record as it is, or what is wrong with it. */
export const lookUp = (database: PrivateDatabase, { records }: v.InferOutput<typeof lookupBody>) =>
  records.map(({ recordName: name }) => recordIn(database, name) ?? refusal(name, notFound()))

/**
 * Carries out what was asked, record by record: one that can't be doesn't hold up the others.
 * @param person.full has no room for anything more
 */
export function modify(
  database: PrivateDatabase,
  { operations }: v.InferOutput<typeof modifyBody>,
  person: { userRecordName: string; full: boolean },
) {
  return operations.map((one) => {
    const name = one.record.recordName ?? randomUUID().toUpperCase()
    try {
      return carryOut(database, name, one, person)
    } catch (cause) {
      if (cause instanceof CloudKitError) return refusal(name, cause)
      throw cause
    }
  })
}

function carryOut(
  database: PrivateDatabase,
  name: string,
  { operationType, record }: Operation,
  { userRecordName, full }: { userRecordName: string; full: boolean },
) {
  const before = recordIn(database, name)
  const forced = operationType.startsWith('force')
  const kind = operationType.replace('force', '').toLowerCase()
  if (operationType === 'create' && before)
    throw new CloudKitError('EXISTS', 'record to insert already exists')
  if (operationType !== 'create' && !forced) {
    if (!before) throw notFound()
    if (record.recordChangeTag !== before.recordChangeTag)
      throw new CloudKitError('CONFLICT', 'client record change tag is stale')
  }
  if (kind === 'delete') {
    delete database[name]
    return { recordName: name, deleted: true }
  }
  const recordType = record.recordType ?? before?.recordType
  if (!recordType) throw new CloudKitError('BAD_REQUEST', "missing required field 'recordType'")
  if (full) throw new CloudKitError('QUOTA_EXCEEDED', 'Quota exceeded')
  const stamp: Stamp = { timestamp: Date.now(), userRecordName, deviceID: '2' }
  const made: CloudRecord = {
    recordName: name,
    recordType,
    pluginFields: {},
    deleted: false,
    fields: kind === 'update' ? { ...before?.fields, ...record.fields } : record.fields,
    recordChangeTag: Math.random().toString(36).slice(2, 10),
    created: before?.created ?? stamp,
    modified: stamp,
  }
  database[name] = made
  return made
}

const recordIn = (database: PrivateDatabase, name: string) =>
  Object.hasOwn(database, name) ? database[name] : undefined
const notFound = () => new CloudKitError('NOT_FOUND', 'Record not found')
const refusal = (name: string, { code, reason }: CloudKitError) => ({
  recordName: name,
  reason,
  serverErrorCode: code,
})
