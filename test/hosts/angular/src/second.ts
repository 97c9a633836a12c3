import { Component, CUSTOM_ELEMENTS_SCHEMA, type ElementRef, signal, viewChild } from '@angular/core'
import type { WalletFund, WalletSign } from 'latchkey'
import { apiUrl, appId, vaultUrl } from './settings'

/** Another page of the same app, with elements of its own. */
@Component({
  selector: 'host-second',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <main>
      <p id="second-user">{{ user() }}</p>
      <login-modal
        [attr.app-id]="appId"
        [attr.api-url]="apiUrl"
        [attr.vault-url]="vaultUrl"
        (lk-user)="user.set($event.detail.user?.email?.address ?? 'nobody')"
      ></login-modal>
      <wallet-sign
        #element
        [attr.app-id]="appId"
        [attr.api-url]="apiUrl"
        [attr.vault-url]="vaultUrl"
        (lk-signature)="signature.set($event.detail.signature)"
      ></wallet-sign>
      <button id="sign" type="button" (click)="sign()">Sign</button>
      <p id="signature">{{ signature() }}</p>
      <wallet-fund
        #funder
        [attr.app-id]="appId"
        [attr.api-url]="apiUrl"
        [attr.vault-url]="vaultUrl"
        asset="native-currency"
        chain="eip155:8453"
        (lk-fund-status)="funded.set($event.detail.amount + ' ' + $event.detail.symbol)"
      ></wallet-fund>
      <button id="fund" type="button" (click)="fund()">Add funds</button>
      <p id="funded">{{ funded() }}</p>
    </main>
  `,
})
export class Second {
  protected readonly appId = appId
  protected readonly apiUrl = apiUrl
  protected readonly vaultUrl = vaultUrl
  protected readonly user = signal('unknown')
  protected readonly signature = signal('')
  protected readonly element = viewChild<ElementRef<WalletSign>>('element')

  protected readonly funded = signal('')
  protected readonly funder = viewChild<ElementRef<WalletFund>>('funder')

  protected fund() {
    this.funder()
      ?.nativeElement.fund({ amount: '0.05' })
      .catch((cause: { code: string }) => this.funded.set(cause.code))
  }

  protected sign() {
    this.element()
      ?.nativeElement.sign('Hello')
      .catch(() => {})
  }
}
