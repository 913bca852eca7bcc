import { expect, test } from "@playwright/test";

const csv = ["Handle,Title,Vendor,Variant Price,Variant SKU,Image Src,Tags", ...Array.from({ length: 30 }, (_, n) => `dress-${n},Wrap dress ${n},Hewn,${n === 7 ? "ask" : `${129 + n}.00`},HW-${n},,summer`)].join("\n");

test("a file is shown as it was understood, and nothing is written", async ({ page }) => {
  await page.goto("/data");
  await page.locator("[data-testid=feed]").setInputFiles({ name: "products.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await expect(page.locator(".rows-table tbody tr")).not.toHaveCount(0);
  await page.locator(".understood-buttons .button").first().click();
  await expect(page.locator(".drop")).toBeVisible();
});

test("a file that is none is refused in words", async ({ page }) => {
  await page.goto("/data");
  await page.locator("[data-testid=feed]").setInputFiles({ name: "x.bin", mimeType: "application/octet-stream", buffer: Buffer.from([0, 1, 2, 3, 4, 5, 0, 0, 255]) });
  await expect(page.locator(".trouble")).toBeVisible();
});
