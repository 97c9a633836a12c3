import { Component, CUSTOM_ELEMENTS_SCHEMA } from '@angular/core'
import type {} from 'latchkey/elements'

// Each line that follows a remark "wrong" must be refused, and no other. Angular checks no names and properties of custom
// elements, but what an event brings.
@Component({
  selector: 'host-wrong',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <login-modal [config]="{}" (lk-user)="hear($event.detail.user?.id)"></login-modal>
    <wallet-fund (lk-fund-status)="hear($event.detail.amount)"></wallet-fund>
    <!-- wrong -->
    <login-modal (lk-user)="hear($event.detail.person)"></login-modal>
    <!-- wrong -->
    <wallet-fund (lk-fund-status)="hear($event.detail.money)"></wallet-fund>
  `,
})
export class Wrong {
  hear(id: string | undefined) {
    return id
  }
}
