import { Fragment, type ReactNode } from 'react'
import type { useWords } from '../ui/text/words.tsx'
import { Address } from '../ui/wallet/address.tsx'
import type { WalletCode } from './preview.ts'

/** The code that the wallet has already, as a row of a review's details. */
export const codeRow = (
  t: ReturnType<typeof useWords>,
  { delegate, name }: WalletCode,
): [string, ReactNode] => [
  t('code.row'),
  <Fragment key="code">
    {name !== undefined && <bdi>{name}</bdi>}
    <div>
      <Address>{delegate}</Address>
    </div>
  </Fragment>,
]
