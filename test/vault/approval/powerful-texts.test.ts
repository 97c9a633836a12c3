/** Texts whose signature has a power of its own: none of them is approved in the vault's frame, in whatever language it is. */
import { Keypair } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { addWords, createTranslate } from '../../../src/copy/copy.ts'
import { errors } from '../../../src/copy/en/errors.ts'
import type { ApprovalRequests } from '../../../src/protocol/frame/approval.ts'
import { readSignRequest } from '../../../src/vault/approval/sign/kinds.ts'

addWords(errors)

const origin = 'https://host.example'
const address = `0x${'12'.repeat(20)}`
const signer = Keypair.generate().publicKey.toBase58()

/** As protocols word them: secrets that are made of a signature, and logins whose text names no page. */
const published: readonly string[] = [
  'Enable Push Profile \n4f2a9c',
  'Enable Push Chat Profile \n4f2a9c',
  'Create Push Profile \n4f2a9c',
  'This app wants to view and update your 3Box profile.',
  'Create a new 3Box profile\n\n- \nYour unique profile ID is did:3:bafyrei',
  'Add this account as a Ceramic authentication method',
  'Allow this account to control your identity',
  'Decentraland Login\nEphemeral address: 0xabcdefabcdefabcdefabcdefabcdefabcdefabcd\nExpiration: 2030-01-01T00:00:00.000Z',
  'Sign in to Blur\n\nChallenge: 8d1f2c',
  'Sign in to Magic Eden\n\nNonce: 8d1f2c',
  'You are signing in to DeBank\n\nNonce: 8d1f2c',
  'Access zkSync account.\n\nOnly sign this message for a trusted client!',
  'Sign this message to access Loopring Exchange with key nonce: 0',
  'Only sign this request if you’ve initiated an action with Immutable X.',
  'XMTP : Enable Identity\n4f2a9c\n\nFor more info: https://xmtp.org/signatures/',
  'XMTP : Create Identity\n4f2a9c',
  'Welcome to OpenSea!\n\nClick to sign in and accept the OpenSea Terms of Service.\n\nNonce: 8d1f2c',
  'Sign this message to generate your Privacy Pool account',
  'Sign this message to derive your Umbra private keys',
  'Access your k\u0435y',
  'Firma para obtener tu clave',
  '签名以生成您的私钥',
]
/** Five powers in the words of a language: a secret, the way into a service, a delegate, an allowance, a session. */
const scripts: Readonly<Record<string, readonly string[]>> = {
  Latin: [
    'Firma para crear tu clave',
    'Melde dich bei der Börse an',
    'Autorise ce délégué',
    'Permita o gasto',
    'Rozpocznij sesję',
  ],
  Cyrillic: [
    'Подпишите, чтобы создать ключ',
    'Войти на биржу',
    'Разрешить доверенному лицу',
    'Разрешить трату',
    'Начать сеанс',
  ],
  Greek: [
    'Υπογράψτε για να δημιουργηθεί το κλειδί',
    'Είσοδος στο ανταλλακτήριο',
    'Εξουσιοδότηση',
    'Έγκριση δαπάνης',
    'Έναρξη συνεδρίας',
  ],
  Han: ['签名以生成密钥', '登录交易所', '授权代理人', '批准支出', '开始会话'],
  Kana: [
    'サインしてかぎをつくる',
    'とりひきじょにログイン',
    'だいりにんをみとめる',
    'しはらいをみとめる',
    'セッションをはじめる',
  ],
  Hangul: ['서명하여 키 생성', '거래소 로그인', '대리인 승인', '지출 승인', '세션 시작'],
  Arabic: ['وقّع لإنشاء مفتاح', 'تسجيل الدخول إلى المنصة', 'تفويض وكيل', 'الموافقة على الإنفاق', 'بدء الجلسة'],
  Hebrew: ['חתמו כדי ליצור מפתח', 'כניסה לבורסה', 'הרשאת נציג', 'אישור הוצאה', 'התחלת הפעלה'],
  Devanagari: [
    'कुंजी बनाने के लिए हस्ताक्षर करें',
    'एक्सचेंज में लॉगिन',
    'प्रतिनिधि को अधिकार दें',
    'खर्च की अनुमति दें',
    'सत्र शुरू करें',
  ],
  Thai: ['ลงนามเพื่อสร้างกุญแจ', 'เข้าสู่ระบบตลาด', 'อนุญาตตัวแทน', 'อนุมัติการใช้จ่าย', 'เริ่มเซสชัน'],
}
const siwe = (
  more: { domain?: string; statement?: string; uri?: string; before?: string; behind?: string } = {},
) =>
  `${more.before ?? ''}${more.domain ?? 'host.example'} wants you to sign in with your Ethereum account:\n${address}\n\n${more.statement === undefined ? '' : `${more.statement}\n\n`}URI: ${more.uri ?? origin}\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00Z${more.behind ?? ''}`
const written = Object.values(scripts).flat()
/** The same powers in the form of a sign-in at the page's own origin, or of nearly one. */
const dressed: readonly string[] = [
  ...Object.values(scripts).map(([first = '']) => siwe({ statement: `${first} \u00b7` })),
  ...Object.values(scripts).map(([, second = '']) => siwe({ before: `${second}\n` })),
  siwe({ behind: '\n\nEnable Push Profile' }),
  siwe({ behind: '\nResources:\n- urn:recap:eyJhdHQiOnt9fQ' }),
  siwe({ statement: 'Access zkSync account.\nOnly sign this message for a trusted client!' }),
  siwe({ before: ' ' }),
  siwe({ behind: '\u200b' }),
  siwe().replaceAll('\n', '\r\n'),
  siwe().replace('Nonce: 12345678\n', ''),
  siwe().replace('Version: 1', 'Version: 2'),
]
const texts = [...published, ...written, ...dressed]

type Asked = ApprovalRequests['sign']
const onEthereum = (text: string): Asked => ({
  kind: 'message',
  root: { chainType: 'ethereum', address },
  walletIndex: 0,
  address,
  message: text,
})
const onSolana = (text: string): Asked => ({
  kind: 'solanaMessage',
  root: { chainType: 'solana', address: signer },
  walletIndex: 0,
  address: signer,
  message: Buffer.from(text).toString('base64'),
})
/** Where it would be approved; `refused` where it never is. */
const placeOf = async (request: Asked): Promise<string> => {
  try {
    const { risk } = await readSignRequest(request, { origin }, createTranslate())
    return risk === 'usual' ? 'frame' : 'window'
  } catch (cause) {
    expect(cause).toMatchObject({ name: 'InvalidRequest' })
    return 'refused'
  }
}

describe('texts with power: the frame of a strict app signs none', () => {
  test('there are at least a hundred, in ten scripts, with the 22 of reports among them', () => {
    expect(new Set(texts).size).toBe(texts.length)
    expect(published).toHaveLength(22)
    expect(Object.keys(scripts)).toHaveLength(10)
    expect(texts.length).toBeGreaterThanOrEqual(100)
  })
  test.each(texts)('%j', async (text) => {
    expect(await placeOf(onEthereum(text))).not.toBe('frame')
    expect(await placeOf(onSolana(text))).not.toBe('frame')
  })
  test('a sign-in at the page’s own origin is approved in the frame', async () => {
    expect(await placeOf(onEthereum(siwe({ statement: 'Hello' })))).toBe('frame')
  })
})
