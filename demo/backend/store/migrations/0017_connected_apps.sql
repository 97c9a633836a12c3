CREATE TABLE "connected_apps" (
	"id" text PRIMARY KEY NOT NULL,
	"app_id" text NOT NULL,
	"user_id" text NOT NULL,
	"requester" text NOT NULL,
	"connected_at" bigint NOT NULL,
	"last_used_at" bigint NOT NULL,
	"tokens_until" bigint
);
--> statement-breakpoint
ALTER TABLE "connected_apps" ADD CONSTRAINT "connected_apps_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "connected_apps_user" ON "connected_apps" USING btree ("user_id","requester");--> statement-breakpoint
CREATE INDEX "connected_apps_used" ON "connected_apps" USING btree ("last_used_at");