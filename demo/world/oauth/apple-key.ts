import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose'

/** Apple's clients hold a key and sign each secret with it (ES256, for at most half a year). */
export async function createAppleKey(clientId: string, issuer: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const [teamId, keyId] = ['LATCHKEYDE', 'DEMOKEY001']
  return {
    clientSecret: JSON.stringify({ teamId, keyId, privateKey: await exportPKCS8(privateKey) }),
    async isSecret(jwt: string): Promise<boolean> {
      try {
        const { protectedHeader, payload } = await jwtVerify(jwt, publicKey, {
          algorithms: ['ES256'],
          issuer: teamId,
          subject: clientId,
          audience: issuer,
          requiredClaims: ['iat', 'exp'],
          maxTokenAge: '180 days',
        })
        return protectedHeader.kid === keyId && (payload.exp ?? 0) - (payload.iat ?? 0) <= 15_777_000
      } catch {
        return false
      }
    },
  }
}
